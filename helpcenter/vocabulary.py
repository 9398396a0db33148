"""General shop English: the words that say nothing, and the ways in which customers say what shops call otherwise."""

# Words that say nothing of what a question is about; contractions stand here without their apostrophe.
STOP = frozenset(
    """
    a about absolutely actually after afterwards again ago ah all almost already alright also although am an and
    any anybody anymore anyone anything apparently are arent around as at aww away be because been before
    being believe best between bit both but by came can cannot cant come comes coming confirm could couldnt
    couple d day days definitely did didnt different do does doesnt doing done dont dude during each either
    else even ever every exactly expect explain far few fine finally five folks for four friday from gave
    get gets getting give given go goes going gone gonna good got gotta great guys had happen happened
    happens has hasnt have havent having he hello help hence her here hey hi him his honestly hope how
    however i id if ill im in into is isnt it its ive just keep keeps kind kinda know last lately
    least let lets like literally long longer look looking lot m made make makes many may maybe me mean
    might mine moment monday more most much must my myself near need needed needs never nice no nobody not
    nothing now obviously of off oh ok okay old on once one ones only onto or other others our out over own
    please pls plz possible possibly pretty probably put quite rather re really recently right s said same
    saturday saw say saying says see seem seems she should since so some somehow something somewhere soon
    sorry still stuff such sunday sure t take takes tell ten than thank thanks that thats the their them then
    there theres these they theyre thing things think this those though three through thursday thx till
    time times to today tomorrow too took tried try trying tuesday two u ugh under until up ur urgent
    us use used using usually ve very via wanna want wanted wants was wasnt way we wednesday week weekend
    weeks well went were werent what whatever whats when where wheres which while who whole why will wish
    with within without wonder wondering wont would wouldnt yeah yes yesterday yet you your youre yours
    able allowed available currently correct correctly ask asked asking told policy request requests problem
    problems issue issues question questions details concern regarding minutes minute hour morning evening
    night afternoon spring summer autumn winter january february march april june july august september
    october november december notice noticed found find worried worry angry annoyed idea placed start started
    turns turn called
    youve wife husband sister brother mom mum dad son daughter kid kids boss dollar dollars bucks usd
    """.split()  # noqa: SIM905
)
# Said one way by customers and another by shops; both sides are brought to the first word.
SAME = {
    word: first
    for first, others in {
        "parcel": "parcels package packages packet packets shipment consignment",
        "courier": "couriers carrier carriers driver postman mailman ups fedex usps dhl",
        "deliver": "delivery deliveries delivered delivering shipping ship ships shipped dispatch dispatched postage",
        "refund": "refunds refunded refunding reimburse reimbursed reimbursement repay repaid",
        "return": "returns returned returning",
        "broken": """
            broke break breaks faulty fault faults defective defect defects died dead dying malfunction
            malfunctioning busted snapped peeling failing
            """,
        "damaged": """
            damage damages ruined soaked smashed cracked crack shattered dented dent torn ripped scratched scratch
            crushed leaks leaking leak chipped bent
            """,
        "missing": "incomplete lacking absent",
        "cancel": """
            cancellation cancelation cancelled canceled cancelling canceling abort undo revoke withdraw annul
            """,
        "person": "human humans agent agents staff representative rep somebody someone operator people employee",
        "invoice": "invoices receipt receipts bill bills facture bookkeeping accountant accounting",
        "cost": "costs price prices fee fees",
        "expensive": "cheap cheaper pricey dearer costlier",
        "charge": "charged charges charging",
        "pay": "paid payed paying payment payments pays payable settle",
        "voucher": "vouchers giftcard giftcards giftcertificate giftcard certificate coupon",
        "instalment": "instalments installment installments klarna afterpay affirm monthly",
        "stolen": "steal stole theft thief thieves lost vanished disappeared",
        "warranty": "warranties guarantee guaranteed guarantees garantie garantee covered coverage",
        "repair": "repairs repaired repairing mend mended mends fix fixed fixing",
        "colour": """
            color colors colours beige brown pink purple orange black white red blue green grey gray yellow
            """,
        "size": "sizes bigger smaller larger medium tight loose shorter longer",
        "exchange": "exchanged exchanging swap swapped swapping trade switch switched switching",
        "edit": "change changed changes changing modify modified modifying alter altered update updated amend adjust",
        "order": "orders ordered ordering purchase purchased purchases bought buy buying",
        "item": "items product products article articles goods",
        "headphone": "headphones earbud earbuds earphone earphones headset headsets",
        "email": "mail mails emails",
        "telephone": "phone phones telephones hotline helpline",
        "complaint": "complain complaints complaining complained",
        "robot": "robots bot bots chatbot chatgpt ai automated",
        "chat": "chats conversation conversations",
        "contact": "support helpdesk",
        "data": "information info records record",
        "delete": "deleted deleting erase erased remove removed removing wipe deactivate",
        "privacy": "gdpr ccpa",
        "kept": "stored storing save saved saves saving keeping",
        "address": "addresses street zip zipcode postcode apartment apt flat",
        "home": "house",
        "maximum": "biggest largest highest max",
        "abroad": """
            country countries international internationally overseas canada mexico europe germany france
            uk england australia ireland scotland wales norway sweden denmark finland spain italy netherlands holland
            belgium austria switzerland poland portugal greece japan india brazil nigeria zealand
            """,
        "state": "states hawaii alaska usa texas california florida",
        "late": "delay delays delayed overdue",
        "pickup": "collect collection",
        "part": "parts component components",
        "seal": "seals gasket gaskets ring rings",
        "photo": "photos picture pictures image images pic pics",
        "expire": "expires expired expiry expiring expiration",
        "account": "profile profiles accounts",
        "register": "signup",
        "newsletter": "newsletters unsubscribe marketing",
        "express": "overnight",
        "fast": "faster fastest quick quickly quicker",
        "amex": "americanexpress",
        "decline": "declined declines rejected refused failed fails failing unsuccessful",
        "year": "years month months",
        "postbox": "pobox",
        "mistake": "mistakes accident accidentally accidental unintentionally",
        "password": "passwords passcode pw pwd",
        "neighbour": "neighbor neighbors neighbours",
    }.items()
    for word in others.split()
}
# Several words that mean one: looked for in the text without punctuation, before words that say nothing are dropped.
GAP = r"(?:\w+ ){0,2}"
MEANS = {
    "return": rf"(?:send|sent|sending|give|giving|bring|take|mail|ship) {GAP}back",
    "refund": (
        r"(?:money|cash|funds|pay \w+|paid|owe \w+ money) back|owe (?:me|us) money"
        r"|money (?:is |be |been |was )?(?:return(?:ed)?|credited|sent)"
    ),
    "signin": r"(?:log|sign|logging|signing|logged|signed) ?(?:in|on)(?:to)?|login|get in(?:to)? my account",
    "register": r"(?:create|make|open|set up|need|have) (?:an |a |my )?(?:new )?account|sign(?:ing)? up",
    "email": r"e mail|mail address|email address|e mail address",
    "notarrived": (
        r"(?:not|never|nothing|nobody|hasnt|havent|didnt|isnt|wasnt|no|dont|still) "
        rf"{GAP}(?:arriv\w+|come|came|here|receiv\w+|got|get|turned up|showed up|have it|has it)"
        r"|(?:nothing|not|isnt) (?:\w+ )?at my door|nowhere to be (?:found|seen)|should have been here"
    ),
    "broken": (
        rf"(?:doesnt|dont|does not|do not|wont|will not|isnt|not|stopped|stops|quit|no longer) {GAP}"
        r"(?:work\w*|charg\w+|charge|heat\w*|turn\w* on|start\w*|function\w*)"
        r"|(?:came|come|fell|broke|falling|coming) (?:off|apart)"
        r"|(?:broke|break) down|gave up|went dead|burn\w* out|(?:split|broke) in (?:half|two)|no sound"
    ),
    "missing": (
        r"(?:wasnt|werent|not|isnt|nothing) (?:\w+ )?in (?:the |my )?(?:box|package|parcel)"
        r"|empty (?:box|package|parcel)|only (?:got|received|half|one of)|came without|left out"
        r"|forgot to (?:send|include|pack)"
    ),
    "arrived": r"turned up|showed up|got here|when i opened|out of the box|on arrival",
    "pending": (
        rf"(?:not|hasnt|havent|isnt|before|didnt) {GAP}(?:ship\w*|left|leave\w*|sent|dispatched|packed)"
        r"|just (?:placed|ordered|bought)|at (?:the )?checkout"
    ),
    "dislike": r"(?:dont|doesnt|didnt|not) (?:\w+ )?(?:like|love|happy|satisf\w+)|hates?|disappoint\w+",
    "howlong": r"how (?:long|soon|fast|quick(?:ly)?|many (?:\w+ )?days)",
    "whereis": r"where (?:is|are|s)|wheres",
    "voucher": r"gift ?cards?|gift ?vouchers?|gift certificates?|store credit",
    "express": r"next day|one day|same day|over night",
    "postbox": r"p o box|po box|post office box(?:es)?",
    "cancel": (
        r"call(?:ed)? off|get rid of|changed? my mind|back(?:ing|ed)? out"
        r"|(?:dont|no longer) (?:want|need) (?:it|this|that|them|the order|my order)"
    ),
    "person": (
        r"real (?:person|human|people)|(?:speak|talk|speaking|talking) (?:to|with) (?:a |an |some)?(?:one|body)?"
        r"|(?:anyone|anybody|someone|somebody) (?:there|here|online|available)"
    ),
    "telephone": r"call (?:me|you|us|someone|somebody)|ring (?:me|you)|by phone",
    "misdelivered": (
        rf"(?:delivered|left|given|handed) {GAP}(?:to|at|with) (?:the |a |an |my )?(?:wrong|different|another)"
    ),
    "hours": (
        r"(?:opening|business|office|working|service) hours"
        r"|(?:are|is) (?:\w+ ){0,2}open|open on|what time do you (?:open|close)"
    ),
    "elsewhere": (
        r"somewhere else|(?:different|another|other|new|wrong) (?:address|place|house|flat|city|town|street)|moved"
        r"|rerout\w+|redirect\w*"
    ),
    "otherone": (
        r"(?:wrong|different|another|other|someone elses|somebody elses) (?:item|thing|product|article|one)"
        r"|not (?:what|the one|the thing|the item) (?:that )?i (?:\w+ )?order(?:ed)?"
    ),
    "stuck": (rf"stuck|(?:hasnt|havent|not|isnt|no) {GAP}(?:moved?|moving|updated?|updates?|updating|movement)"),
    "decline": (
        rf"(?:not|didnt|doesnt|wont|isnt|cant) {GAP}"
        r"(?:go|going|get|process|accept|take) (?:through|my card|my payment)"
    ),
    "contact": r"get in touch|reach (?:you|someone|somebody|support|customer service)",
    "nothome": (
        r"(?:not|wasnt|nobody|no one|werent) (?:\w+ )?(?:at )?home"
        r"|missed (?:the |my |a )?(?:delivery|courier|driver)"
    ),
    "instalment": r"pay later|monthly payments?|in rates|by instal\w+|on account",
    "mistake": r"by (?:mistake|accident|error)",
    "spare": (
        r"spare parts?|replacement (?:parts?|filter|lid|seal|cable|blade|handle|knob|jug|hose|battery|cover)"
        r"|(?:buy|sell) (?:\w+ ){0,2}separately"
    ),
    "robot": r"(?:talk(?:ing)?|speak(?:ing)?|chat(?:ting)?) (?:to|with) (?:a |the |your )?(?:machine|computer)",
}
