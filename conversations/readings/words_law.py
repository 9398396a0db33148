"""How people speak who turn to the law: lawyers, courts, authorities, the bank that takes money back."""

from conversations.readings.concepts import Lexicon

_FAMILIES = {
    "LAWYER": """
        lawyer+, attorney+, solicitor+, barrister+, paralegal+, counsel, advocate+, legal team, legal counsel, legal
        rep, legal reps, legal representative, legal representation, legal adviser, legal advisor, legal advisers,
        legal advisors, legal people, legal aid, legal helpline, legal department, law firm, law office, law centre,
        law center, legal insurance, legal cover, legal expenses insurance, legal protection insurance, qc, kc, law
        clinic, law practice, law people, sollicitor+, solictor+, soliciter+, lawer+, lawyr+, layer up, attourney+,
        atorney+, attorny, no win no fee, legal expenses, legal protection, legal expert, legal experts, legal friend,
        claims management, claims handler, legal service, legal services, lawfirm, counsellor at law, legal clinic,
        legal eagle, lawyered, notary, esq
    """,
    "WATCHDOG": """
        bbb, ftc, cfpb, ombudsman, ombudsmen, ombudsperson, trading standards, better business bureau, cpsc, federal
        trade commission, attorney general, attorneys general, state ag, attorney generals, asa, cma, accc, icc,
        advertising standards, advertising standards authority, competition authority, fair trading, office of fair
        trading, information commissioner, information commissioners, ico, citizens advice, citizens advice bureau,
        consumer affairs, consumer protection, consumer council, consumer agency, consumer association, consumer
        watchdog, consumer bureau, consumer advocate, consumer board, consumer commission, consumer helpline, consumer
        ministry, watchdog+, regulator+, action fraud, ic3, fcc, ofcom, fca, fos, sec, osha, fda, osa, cnil, financial
        conduct authority, data protection authority, data protection commissioner, data protection commission, data
        commissioner, privacy commissioner, dpa, econsumer, standards agency, food standards agency, product safety
        commission, health department, licensing board, chamber of commerce, department of justice, doj, irs, tax
        authorities, hmrc, tax office, customs authorities, interpol, fbi, cybercrime unit, fraud squad, consumer
        financial protection bureau, european consumer centre, ecc, ag office, bafin, oag, small business
        commissioner, competition bureau, office of consumer affairs, congressman, senator, district attorney, da
    """,
    "POLICE": """
        police, cops, sheriff, constable, officers, detective, detectives, law enforcement, authorities, feds,
        prosecutor+, public prosecutor
    """,
    "COURT": """
        court+, courtroom, courthouse, judge+, tribunal+, magistrate+, jury, arbitration, arbitrator, mediator,
        adjudicator, court of law, small claims, small claims court, small claims track, county court, crown court,
        high court, civil court, district court, sheriff court, people s court, moneyclaim, money claim online, mcol,
        claims court, vcat, ncat
    """,
    "CASE": """
        lawsuit+, law suit, litigation, litigate*, litigating, writ, summons, subpoena*, injunction, bailiff+,
        enforcement officers, lien, ccj, county court judgment, county court judgement, statutory demand, legal
        proceedings, legal action, legal steps, legal route, legal road, legal means, legal channels, legal recourse,
        legal remedy, legal remedies, legal consequences, legal avenue, legal avenues, legal options, legal battle,
        legal fight, legal case, legal claim, legal dispute, legal notice, legal letter, legal challenge, legal
        ramifications, legal matter, legal fees, legal costs, legal trouble, legal measures, legal path, legal
        footing, court action, court proceedings, court case, court order, court claim, court papers, court fees,
        court date, court summons, letter before action, letter before claim, notice before action, letter of demand,
        demand letter, letter of claim, pre action protocol, pre action letter, cease and desist, class action, class
        suit, group action, collective action, mass tort, criminal charges, criminal complaint, civil suit, civil
        action, civil claim, civil proceedings, test case, affidavit, deposition, debt collectors, punitive damages,
        restitution, restraining order, claim form, claim forms, particulars of claim, legal document, legal
        documents, harassment order, cease and desist letter, small claim, claim court, no win no fee, statute,
        statutes, by law, law suits, lawsiut, legal system, legal help, legal support, court costs, legal process,
        small claims form
    """,
    "LAWS": """
        consumer rights act, consumer law, consumer laws, consumer legislation, consumer protection act, sale of goods
        act, consumer contracts regulations, consumer credit act, distance selling regulations, statutory rights,
        consumer rights, magnuson moss, lemon law, ccpa, fair credit billing act, fcba, trade descriptions act, unfair
        trading regulations, uniform commercial code, ucc, state law, federal law, eu law, criminal law, the law, data
        protection act, data protection law, consumer guarantees act, australian consumer law, mail order rule,
        contract law, civil code, privacy law, privacy laws, advertising law, udap, legal rights, misrepresentation
        act, legal obligation, legal duty, legally binding
    """,
    "BANK": """
        bank+, visa, mastercard, amex, american express, paypal, klarna, barclays, barclaycard, hsbc, chase, natwest,
        lloyds, monzo, revolut, wells fargo, citi, citibank, capital one, discover, bank of america, credit card,
        credit card company, card company, card issuer, issuer, card provider, credit card provider, credit card
        people, card people, credit union, building society, card network, payment provider, payment processor,
        stripe, fraud department, fraud team, fraud line, apple pay, santander, nationwide, halifax, lender, afterpay,
        venmo
    """,
    "UNDO": """
        dispute, disputed, disputing, disputes, contest, contested, contesting, reverse, reversed, reversing,
        reversal, claw, clawed, clawing, clawback, recall, recalled, recalling, pull, pulled, pulling, yank, yanked,
        yanking, retrieve, recover, recovered, recovering, chargeback+, charged back, investigate, investigating,
        fraudulent, flag, flagged, flagging, block, blocked, blocking, report, reported, reporting, undo, fight
    """,
    "MONEY": "money, payment+, charge+, transaction+, funds, purchase, cash, debit, amount, refund, it",
    "CRIME": """
        fraud, fraudulent, theft, larceny, embezzlement, extortion, deception, criminal, criminals, crime, crimes,
        misrepresentation, false advertising, false pretences, false pretenses, wire fraud, mail fraud, deceptive,
        deceptive advertising, misleading advertising, unlawful*, illegal*, counterfeit, counterfeits, negligence,
        negligent, obtaining money by deception, unfair trading, unjust enrichment, handling stolen goods, breach of
        contract, data breach, identity theft, blackmail, unconscionable, forgery, defrauded, defrauding, defraud,
        usury, money laundering, racketeering, gross negligence, against the law, offence
    """,
    "REPORT": """
        report, reported, reporting, reports, complain*, escalat*, notify, notified, notifying, inform, informed,
        informing, contact, contacted, contacting, file, filed, filing, lodge, lodged, lodging, submit, submitted,
        submitting, forward*, refer, referred, referring, raise, raised, raising, alert*, tell, told, telling, call,
        called, calling, phone, phoning, ring, ringing, write, writing, written, speak*, spoke*, talk*, involv*, send,
        sending, sent, press, pressing, bring, bringing, pursue, pursuing, issue, issuing, start*, take, taking, go,
        going, seek*, sought, get, getting, dial*, tip, tipped, tipping, hand, handing, pass, passing
    """,
    "DOING": """
        draft*, prepar*, sent, send*, advis*, instruct*, tell*, told, say*, said, review*, handl*, look*, take*,
        taking, fil*, itch*, contact*, sue*, call*, writ*, case, recommend*, help*, reckon*, think*, believ*, ready,
        await*, respond*, reply*, deal*, touch, inform*, agree*, confirm*, urg*, copied, involv*, serv*
    """,
}  # fmt: skip
_SIGNS = """
@CASE; suing/sued; sue you/your/them/their/company/shop/store; @LAWYER; @WATCHDOG; consumer
direct/hotline/champion/affairs/authority/office/rights/lawyer/law/court/ programme/magazine/helpline/protection;
state/licensing/medical/county board; licence/license ~4 board/revoke*/pull*/lose/lost/suspend*;
prosecutor/prosecutors/prosecute*/prosecution; sheriff ~1 office; there ~2 be ~1 a/- claim; preserve/retain/keep ~3
records/evidence/correspondence; registered agent/letter; service of process/proceedings; process server; adr;
alternative dispute; mediation/arbitration ~1 scheme/provider/process/body/clause; implied/express/statutory ~1
warranty/warranties/protection*/right+/term+/duty/duties/guarantee+/obligation+/ remedy/cooling; breach ~2 of;
breach* ~2 warranty/contract/terms/law/act/regulations/rights/privacy; law/consumer_law/contract_law
specialist/expert/professor/graduate/degree; judge ~3 say*/reckon*/told/think*; seek*/pursu*/demand*/want* ~2
redress/justice/damages/remedy/remedies/reparation; redress;
take/taking/pursue/further/legal/regulatory/enforcement/formal/civil/criminal/ appropriate/necessary ~1 action ~1
against/if/to/in/- ~1 you/your/company/this/recover/necessary/required; formal
complaint/demand/grievance/warning/notice; final demand/warning;
certified/recorded/registered/lawyers/solicitors/attorneys/legal ~1 letter/mail/post; collections agency; debt
collection; debt collector; debt recovery; statute of limitations; null and void; rescind*; rescission; repudiat*;
actionable; tort; unlawful*; perjury; indict*; indemnif*; notaris*; notariz*; deposition; lien; settlement ~2
offer/agreement/figure/out; face/facing ~2 consequences/charges/prosecution/action/fine/fines/lawsuit/claim;
fine/fined/penalty/penalties ~4 gdpr/ico/regulator/authority; win/won ~3 court/case/claim/easily; lose/lost ~2 in
court; law ~2 on my side; the/consumer law ~2 is/says/requires/gives/states/protects/entitles; subject access
request ~4; i/we have/will/am/are/going ~2 reported/reporting/report ~1 you/your/this/shop/company/it ~1 to/for/as;
report* ~1 you/your/company/shop/store ~1 to/for; scam/fraud/crime/cyber/cybercrime/internet
report*/unit/hotline/line/squad/department ~3 report*/hear*/about/is/has/will/$; @REPORT ~5 @POLICE; @POLICE ~4
know*/hear*/inform*/told/involv*/report*/interest*/sort*/way/deal*/notif*; crime/police report/number/reference;
in/to/before/through/by/into/via/at/the @COURT; a/any/no/every/another
court/judge/tribunal/magistrate/jury/prosecutor; @COURT ~3
decid*/rul*/side*/hear*/sort*/await*/interest*/agree*/explain*/settle*/be/will; see/drag/take/haul/meet/for/explain
~4 @COURT; section 75; s75 claim; @BANK ~5 @UNDO; @UNDO ~6 @BANK; @BANK ~6 get*/claim*/take*/taking/grab* ~3 @MONEY
~2 back; get*/claim*/take*/taking/have/grab*/ask* ~3 @MONEY ~2 back ~3 through/from/via/with my/the @BANK; @BANK ~6
open*/start*/rais*/fil*/lodg* ~3 case/claim/dispute/investigation/complaint; open*/start*/rais*/fil*/lodg* ~3
case/claim/dispute/complaint ~4 @BANK; @UNDO/stop*/cancel* ~2 charge+/payment/transaction ~4 fraud*/bank/card;
chargeback/chargebacks; charge back $/from/with/through/via/today/tomorrow/if/unless/it/and; charged back; claw*
~3 back; friendly fraud; @CRIME ~6 @REPORT; @REPORT ~6
@CRIME; this/that/it/what/which/you/your ~4 is/s/are/was/amounts/constitutes/called/committ* ~3 @CRIME; you ~3
committ*/guilty/accus* ~3 @CRIME; act/acts/case/victim of @CRIME; @LAWS ~6
@REPORT/breach*/violat*/break*/entitle*/reject*/require*/oblig*/side/protect*/ clear/state*/say*/requir*/give*;
breach*/violat*/break*/broke*/infring*/flout*/contraven*/non/under/enforce/ enforc*/invok*/exercis* ~4 @LAWS;
know/knows/enforc*/exercis*/assert*/insist*/aware/stand ~4 my ~2 rights; within my rights to; hold/holding/held ~3
you/your ~3 liable/accountable/responsible; you/your/company/store/shop ~3 liable; damages from you; owe/owes/owed
~3 damages/compensation; compensat* ~2 and/plus/for ~1 interest/costs/distress/damages/losses/loss/suffering;
interest and costs; costs and interest; pain and suffering; emotional distress; in breach; you ~2
broken/broke/breaking ~2 contract/agreement/terms; obliged/obligated/required/bound/forced ~1 by/under ~1
law/statute/contract; by law; entitled ~8 law/statute/legally/rights/act; enforce ~1 it/this/that/my/the;
restraining order; harassment; get/getting/bring/call the law; law ~2 involved; take/taking/go/going/took ~1
it/this/that/- ~1 further/higher/public/legal/all_the_way; all the way ~2; join*/band*/file/filing/sue/suing ~2
jointly/together/forces/collectively; laugh* ~2 out of; come/coming/came/go/going after you; provisional* ~1
credit*; treat* ~2 as fraud; fraud; retrieval request; name/named ~2 defendant; defendant; plaintiff; claimant;
liable for ~5 damage*/loss*/cost*/cent/penny; claim*/seek*/pursu*/su*/demand*/pay/owe*/liable ~3
damages/compensation ~1 for/from/through/in/against/plus/and; press*/bring*/fil*/fac*/lay* ~2 charges; fil* ~2 suit;
contact*/call*/phone*/spoke*/talk*/report*/rang/notif*/inform*/tell*/told ~4 fraud_department/fraud_team/fraud_line;
better business; licensing/competent/relevant/supervisory/regulatory/market/health/safety/
enforcement/advertising/trading ~1 authority/authorities/body/bodies/agency/commission; whichever ~1
authority/court/agency; default judgment/judgement; judgment ~2 against/enforce*; the_law/law on you; joint
action/claim/lawsuit/suit/complaint; recover* ~2 losses/costs/cost/loss/damages/debt/money ~3 from/against
you/your/with ~1 costs; recover* ~2 losses/costs/damages; paperwork ~3 claim/court/lawsuit/lawyer/bank;
visa/mastercard/amex has/have ~1 rules; unenforceable; enforceable; sheriff can/will; with costs; @BANK ~2 revers*;
show*/turn*/com*/knock* ~4 to serve you; practic*/practis* law; correspondence/letter/hear*/contact ~1 from ~1 my ~2
representative+/rep/lawyers/people/firm/side/insurer+/union; my ~1 representative+/brief; jurisdiction; card scheme;
buyer/purchase/purchaser protection ~2 claim/with/through/paypal/at/case; claim*/claiming ~3 back ~6 @BANK;
buyer/purchase/seller protection ~6 claim*; claim*/case ~6 buyer/purchase protection;
health/safety/fire/trading/food ~1 inspector+/inspectorate/marshal; environmental health; laws ~1
against/about/protect*/for; incident/crime/case/reference number ~3 police; @POLICE ~3
gave/give*/want*/ask*/said/say*/have/has/tell*/told/visit*/knock*/door/come*/coming/turn*; @POLICE ~2 at ~1 your;
stop/stopping/block*/withh*/freez* ~2 payment/payments/transaction ~4 @BANK; @BANK ~6 stop/stopping/block*/freez* ~2
payment/payments/transaction; @BANK ~3 on my side/behind; sided with me; this/it/- ~1 goes/going/gone/go legal; i
will see to it that; never/not trade again; shut ~3 you/shop/business/company down; have you ~2
shut/closed/investigated/prosecuted/arrested/charged/audited/raided/shut_down; investigated ~1 by; reported to;
arrest*; jail; prison; locked up ~1; your ~1 licence/license/registration/vat ~3 revoke*/check*/report*;
issu*/start*/begin*/commenc*/bring* ~2 proceedings; serv* ~3 papers; papers ~3 serv*; be/get/getting/been served;
formal/final/official/legal/written/last notice/warning/demand; letter ~3 from ~3 @LAWYER; by ~2
solicitor/attorney/lawyer; deadline/days/hours ~4 before/or/otherwise ~4 @CASE/@COURT/@LAWYER/proceedings;
go*/tak*/pursu*/proceed* ~4 legal/legally; legal* ~2
action/proceed*/entitled/obliged/obligated/required/binding/responsible; i will/would/can/may/could go legal;
without prejudice; reserve ~4 rights; evidence ~4 court/judge/claim/case/lawyer/solicitor/attorney/hearing;
document*/record*/keep*/sav*/screenshot* ~5 court/evidence/judge/hearing/lawyer/solicitor/attorney; gdpr ~6
complain*/breach*/violat*/report*/fine/authorit*/regulator/infring*/illegal*/claim;
complain*/breach*/violat*/report*/fine/infring* ~6 gdpr/ccpa; gdpr/ccpa/privacy complaint; go ~3 after you;
settle/settled/settling ~3 out of court; out of court; day in court; judgment/judgement against; legal grounds;
grounds/standing/case for/to ~3 claim/lawsuit/sue; strong/solid/good/open case ~3 against; case against you/your;
fraud report/complaint/claim/case/investigation
"""
_HARMLESS = """
costume+/toy+/book+/novel+/poster+/mug+/shirt+/sticker+/movie/film/lego/
halloween/dvd/wig/game/games/figure/pens/pen;
costumes/toys/books/novels/posters/mugs/shirts/tshirt/hoodie/jumper/plush/ sticker/stickers/ornament/card/cards ~9;
toy/book/poster/mug/shirt/costume/puzzle/gavel/robe/robes/briefcase/padfolio/
stapler/notebook*/bobblehead/socks/shoes; gift/present/graduat*/student*/exam/birthday/school/degree ~1; do you
sell/have/stock/carry/make/offer; do you still sell/have/stock/carry; in stock;
tennis/basketball/badminton/squash/food/volleyball/pickleball/padel/netball/sports/bouncy court+/courts/court; court
shoes/shoe/heels/street/road/avenue/lane/yard/jester/hotel/house; ship/deliver*/send/invoice/address/receipt ~6
@LAWYER/@COURT/@POLICE/@BANK; works/work/working ~2 at/for/in/with; friend who is; is/am/are/as a/an
@LAWYER/judge/magistrate; @LAWYER/judge/kids set/outfit/kit/available; what/which ~3 law/laws/rights ~3
say/apply/have/about/if; i/he/she/who/brother/sister/wife/husband/dad/mum/mom/boss/friend/uncle/aunt/- am/is/was/s
a/an @LAWYER and/who/so/but ~2 need*/love*/want*/like*; is/am/are it/this/that/they legal;
identity/email/text/call/message fraud; fraud ~3 email/emails/text/texts/call/calls/prevention/department ~1
called/texted/pretend*; all the way ~2 in/on/up/to/from/down/back/out/across/open*/round; @LAWYER friend; what/which
~3 law/the_law; fraud protection/alert/alerts/text/check/checks/prevention/blocker; phish*;
someone/somebody/hacker/thief/stranger ~6 my card/account/identity/details; my/the card/bank/payment ~2 was/got/is
~1 declined/rejected/refused; bank ~3 declin*/reject*/refus*/new/chang*/account/statement/transfer/details/holiday/
flagg*/block*; judge ~2 the/by/for/from/whether/if ~1
size/colour/color/quality/fit/photo/photos/picture/pictures/it; can/do not judge; hard to judge; without ~2 charge;
receipt ~6 @LAWYER; office desk/chair/lamp; claim/@CASE to fame; court size/net/markings/lines; battery/phone; for my
records; planner; recommended your; direct debit; fee if; parcel ~2 found;
which ~1 one/size/colour/model/suit; discount+; bulk order+; do you do; leaflet/manual; appearance as; secure
against; on your ~1 site/website or; recommend*/suggest* ~1 a/me/one/any/for/-; court side/courtside; is/are ~3
allowed; refund ~2 to my; wine/oxygen/gas/pressure/voltage/valve regulator; regulator for/valve/kit; watchdog
collar/timer/sign; the law of; tax/customs; visa gift/prepaid/debit/ending/card
"""
_FIRM = """
see/take/taking/drag/dragging/haul* you/your/u/this/them ~2 in/to/before/through court; suing/sue you/your;
chargeback; small claims court; solicitor/attorney/lawyer will; my/our solicitor/attorney/lawyer+/lawyers/solicitors
~2 @DOING; is/s/am a/an @LAWYER ~3 and/who/so ~3 @DOING; i am ~1 a/an @LAWYER myself; @LAWYER ~2 and/so/who ~5
claim/sue/suing/court/case/action/letter; @LAWYER ~4 know what/exactly/my/how/your; section 75 claim
"""

LAW = Lexicon(_FAMILIES, _SIGNS, _HARMLESS, _FIRM)
