"""How English says yes and no to what was asked, as sentences of a grammar.

AGREE agrees by itself. ASSENT says nothing new, and agrees only beside something that does: praise of an "it" may be
meant for the product, and the action alone ("cancel it") for the request. COURTESY and REFUSE are what they say.

The details that a card names fill ACT (its action as a verb), DEED (as a noun), OBJECT, ORDER, AMOUNT, PAYMENT (and
PAYWITH, FLOW: the method that is paid with, what the money does), ADDRESS, SHIP, BOTH, NEED and MONEY. TOLD is an
action that may simply be told ("book it") and THING what it is told of; none to a card of ours, where money moves and
"go ahead with the order" may be the opposite of its cancellation.
"""

from policy.consent_grammar import Grammar
from policy.consent_words import WORDS

OPEN = (
    *("ACT", "ACTED", "ADDRESS", "ALTER", "AMOUNT", "BOTH", "CALL_OFF", "DEED", "FLOW", "IT", "MONEY", "NEED"),
    *("NEWER", "OBJECT", "ORDER", "PAYMENT", "PAYWITH", "SHIP", "TAKE", "THING", "TOLD"),
)

# Parts of sentences. "it" and "everything" may be the product, so they agree with fewer words than "that" does.
_PARTS = """
SURE: FIRMLY / most FIRMLY / SO
FORME: WITH ME / WITH MY liking / on MY end / as you LISTED / as WANTED / as stated / as listed
FORME: as shown
NOWW: right? NOW / right away / straight away / at once / THEN
BEING: BE / SEEM / SEEM to be / SEEM like / SEEM like THIS is / WOULD be / WOULD SEEM / is SEEM / is is / is WOULD be
BEING: BE going to be
THATS: THAT / all of? THAT / THAT EVERY / THAT INFO / all of? THAT INFO / EVERY THAT INFO
INFOS: all? of? THE? INFO / all? of? THE? INFO KNOWN / all of it / it all / THE? INFO and INFO
KNOWN: you have LISTED? / you LISTED / LISTED / above / here / there / on the card
ALLS: ALL / ALL you LISTED / ALL you have LISTED? / what you LISTED
GOODS: SO* GOOD / SO* GOOD and SO* GOOD / a? SO* GOOD IDEA / a SO* IDEA
RIGHTS: SO* RIGHT / SO* RIGHT and SO* RIGHT / SO* spot on / SO* in order / the SO* RIGHT FIELD / the SO* RIGHT INFO
RIGHTS: SO* as it should be
WISH: what WE SURE* WANT / what WE SURE* WANTED / what WE SURE* WANT you? to ACTING / what WE WOULD SURE* LIKE
WISH: what WE WOULD SURE* LIKE you? to ACTING
WISH: what WE have? asked you? for? / what WE have? been? AWAIT for / what WE WAS AWAIT for
WISH: what WE have? had in mind
WISH: what WE have WANTED / what WE WOULD be doing / what WE AM going for / what WE WANT to hear / the one WE WANT
WISH: HOW WE SURE* WANT THIS? / HOW WE SURE* WANT THIS to be / HOW WE SURE* WANT to ACTING / HOW WE have? WANTED THIS?
WISH: the SPOT / the SPOT WE WANT
WISH: what WE WANT to ACT to / what WE WANT to ACT
WISH: the THING WE WANT / the THING WE WOULD go with / the THING i am AWAIT for / the one WE WOULD go with
WISH: the one WE WANT to ACTING / the one / the plan / the ticket / MY SO* DEED / MY SO* REQUEST / MY SO* THING
WISH: MY SO* IDEA
WISH: MY SO* DESIRE / what WE AM after
ACTING: start ACT THINGS / ACT ME? THIS? / ACT ME? THINGS / do THIS? / do so / DO THE DEED / MAKE THE DEED
ACTING: go with THIS?
SOURCE: THE? PAYMENT ACCOUNT?
REFUND: THE? MONEY to SOURCE / THE? MONEY WITH SOURCE
THINGS: THE? OBJECT / THE? OBJECT ORDER / THE? order? number? ORDER / THE? AMOUNT
STEP: THE? DEED and THE? MONEY / DO THE? DEED / DOINGS THE? DEED / DOINGS REFUND / REFUND / THE? DEED to SOURCE
STEP: THE? DEED using SOURCE
STEP: THIS / THE? DEED REQUEST? / THE REQUEST / THE THING / ACT THIS? / ACT THINGS / SAME
STEP: THE? DEED REQUEST? ON THINGS / THE? DEED to THE? PAYMENT / THE? IDEA / all of THIS
SAME: the same
GO: go ahead and GO / go ahead / goahead / go a head / go ahead with STEP / go ahead and DEEDS / go for it / go forward
GO: go forward with STEP
GO: PROCEED / PROCEED further / PROCEED further with STEP / PROCEED with STEP / PROCEED to ACTING / carry on
GO: get it done / have it done
GO: move forward / move forward with STEP / move ahead / move ahead with STEP
DEEDS: do THIS / do so / ACT THIS? / ACT THINGS / DO THE? DEED / MAKE THE DEED / SAY THIS? / PROCEED / TOLD
DOING: DO THIS / DO so / DO the same / make it so / make it happen / make THAT change / set THIS up / go with THIS
DOING: DO THE? REQUEST / DO THE? DEED REQUEST / make THIS happen / take care of THIS / go through with THIS
DOING: do exactly THAT / do just THAT / do as you LISTED / do what you LISTED / get THIS REACHES / roll with THIS
TELL: TOLD / TOLD ME? THIS / TOLD ME? THINGS / TOLD ME? THINGS ON MY DEED / MAKE THE TOLD / MAKE THE THING
TELL: DO THE TOLD / TOLD THIS for ME / TOLD THIS NOWW? ON MY DEED / TOLD THIS NOWW
SAID: TO? THIS / TO? THE same / TO? all of? THIS / THIS all / TO? THE TERMS / TO? THE DEED / TO? all of? THAT
SAID: TO? ALLS / TO? THE IDEA
SAID: THE THING / to? THE? order? ID ORDER / TO? all? of? THE INFO / TO? ALL
PLAINLY: THIS / the same / MY DEED
TRUTH: that? THATS BE WISH / that? RIGHTED
RIGHTED: INFOS BEING RIGHTS / THATS BEING RIGHTS / it BEING RIGHTS / ALLS BEING RIGHTS
GOT: got / gotten
GREEN: the? green light / the? go ahead
USING: use / pay with / switch to / switch THIS to / move THIS to / change THIS to / set THIS to
BOTHS: all of it / it all / all of THIS / BOTH / BOTH of? THEM / BOTH of? THE? OBJECT / all of THEM
"""

_AGREE = """
AGREE: YES / sure thing / of course / by all means / for sure / correct / exactly / indeed / deal / spot on / right on
AGREE: roger that
AGREE: you have? SO* understood ME CORRECTLY? / you have? understood CORRECTLY
AGREE: correct on all counts / right on all counts
AGREE: oh yes / oh yep / oh yup / go right ahead
AGREE: consider it DONE / WE give you? MY? LEAVE / WE give you? MY? LEAVE to GO / THATS has MY LEAVE / it has MY LEAVE
AGREE: sure am
AGREE: good to go / WE AM SO* good to go / WE understand and SAY SAID? / WE understand and WE SAY SAID?
AGREE: ALLS checks out / it all checks out
AGREE: very much so / you bet / WHOLLY RIGHT / ALL correct / most FIRMLY / yes SO* GOOD / YES is SO* GOOD
AGREE: right you are
AGREE: sure enough / i sure do / sure is / sure does / permission granted / fine by ME / count me in / i am in
AGREE: THATS BEING RIGHTS FORME? / GOODS WITH ME / THATS BEING SO* OKAY WITH ME / it BEING SO* OKAY WITH ME
AGREE: OKAY WITH ME / THATS BEING OKAY to GO
AGREE: THATS SO* GOODS WITH ME / let us SAY SAID / let us SAY / you have EACH INFO RIGHT
AGREE: you have EACH INFO CORRECTLY / PLEASE help me do so
AGREE: THATS BEING GOODS FORME? / THATS BEING GOODS FORME? and GOODS
AGREE: it BEING RIGHTS FORME? / ALLS BEING RIGHTS FORME? / INFOS BEING RIGHTS FORME? / INFOS BEING GOODS FORME?
AGREE: THE? THING BEING RIGHTS
AGREE: INFOS RIGHTS / THE? DEED BEING RIGHTS / INFOS BE found RIGHT / INFOS found RIGHT
AGREE: ALL SEEM GOODS FORME? / it SEEMS GOODS FORME? / SEEM GOODS FORME? / SEEM SO* OKAY FORME / is GOODS FORME
AGREE: is OKAY FORME / all of it SEEM GOODS FORME?
AGREE: THIS? SEEM like a SO* IDEA FORME? / THIS? SEEM like a SO* GOOD IDEA FORME? / THAT? SEEM like THIS WOULD work
AGREE: THIS SEEM as WISH / THIS SEEM like WISH
AGREE: THATS is? all? WORKS WELL? FORME? / THATS is? all? WORKS SURE* FORME? / THATS WORKS WELL? ME
AGREE: THATS WORKS ME SURE* WELL?
AGREE: THATS is? WOULD all? SURE* WORK SURE* ME? WELL? FORME? / works WELL? FORME / works for ME WELL? / it checks out
AGREE: THATS WORKS WELL? FORME? and FIT WELL? MY SCHEDULE / THATS WORKS WELL? FORME? and WORKS WELL? FORME?
AGREE: THATS BEING SURE* WISH FORME? / it BE SURE* WISH / it WOULD be SURE* WISH / it SEEM SURE* WISH
AGREE: it SEEM like SURE* WISH
AGREE: exactly WISH / precisely WISH / exactly THE same / exactly THIS / this WISH / all correct and GOODS
AGREE: PRAISE all set / PRAISE all set for THE? DEED
AGREE: you hit the? nail? on the head / TOLD THIS too
AGREE: you have? GOT it alright / you have it alright / you have? GOT ALL alright
AGREE: THAT WISH / exactly HOW WE WANT THIS? / exactly as WE WANT THIS? / exactly as WANTED
AGREE: exactly as you LISTED
AGREE: THAT is SURE it SURE? / THAT is it exactly / ALL is as it should be
AGREE: you have? THEN* GOT it SURE* / you have? THEN* GOT it all? RIGHT / you have? THEN* GOT ALL RIGHT
AGREE: you have? THEN* GOT INFOS RIGHT
AGREE: you have? THEN* GOT THATS RIGHT / you have? THEN* GOT it all DOWN / you have? THEN* GOT THATS DOWN
AGREE: you heard ME? CORRECTLY / you heard THAT? CORRECTLY
AGREE: you have? GOT it all? figured out / you heard EACH minute? INFO / you have? GOT EACH INFO RIGHT?
AGREE: you have? THEN* nailed it / you read my mind / you said it / you know it
AGREE: permission GRANTED / permission to ACTING GRANTED / WE will TAKE THIS / WE will TAKE them / bingo / amen
AGREE: it is a deal / THAT is a deal / it is a go / THAT is a go / we have a deal / you have a deal
AGREE: i second that / WE AM in agreement / WE AM in agreement with THATS / on the money / on point
AGREE: right on the money / you are on point / you are right on the money
AGREE: THATS is on point / it is a yes / THAT is a yes FROMME? / a? big? yes FROMME / yes to that / yes to everything
AGREE: yes to all of THATS / i say yes
FROMME: from ME
AGREE: THATS MEETS MY NEEDS / THATS fits the bill / THATS MATCH SURE* WISH / THATS checks out
AGREE: WE would be SO* CONTENT with THATS / lock it in / let us lock it in
AGREE: CONTENT to GO / CONTENT to SAY SAID? / WE AM SO* CONTENT to SAY SAID? / get on with it / let us make it happen
AGREE: let us get it done / do your thing / be my guest
AGREE: just like that / just like WE WANTED
AGREE: you have? THEN* GOT THIS all? RIGHT / you have it all? RIGHT / you have INFOS RIGHT / you are SO* RIGHT
AGREE: you sure did / you FIRMLY do
AGREE: you have MY LEAVE / you have MY LEAVE to GO / you have MY LEAVE to ACTING
AGREE: let us GO / let us go / let us DOING / let us TELL / let us do THE? DEED
AGREE: ONLY? GO / ONLY? DOING / ONLY? TELL / PLEASE do / you CAN ONLY? GO / you CAN DOING / you CAN TELL
AGREE: THAT is RIGHT to GO / confirmed to GO / you CAN NOW GO / you CAN NOW DOING
AGREE: WE SURE* SAY SAID? / WE do? SURE* SAY SAID? / WE can SURE* SAY SAID? / WE hereby SAY SAID? / WE confirmed
AGREE: WE SAY THE INFO / WE do SAY THE INFO / WE can SAY THE INFO
AGREE: WE? AM? SAYING THIS? / right THAT is it / WE can? SAY TRUTH / WE acknowledge you? TRUTH / WE can? verify TRUTH
AGREE: WE confirm you THE? OPERATION
AGREE: WE SAY you can GO / WE SAY you may GO
AGREE: i am SO* CONTENT with THATS too? / i am SO* CONTENT to GO / i am all for it / i am on board
AGREE: i am on board with THATS / i am in on THATS
AGREE: WE WOULD SURE* much? LIKE THAT / WE WOULD SURE* much? LIKE to GO / WE WOULD SURE* much? LIKE to do THAT
AGREE: WE WOULD SURE* much? LIKE to SAY SAID
AGREE: WE WANT to GO / WE WOULD SURE* much? LIKE to TELL / WE WOULD SURE* much? LIKE to TOLD THAT one
AGREE: WE WANT to TELL / WE WOULD LIKE you to GO / WE WANT you to GO
"""

# Further ways to agree: being told that one is right, permission, the same thing told to be done.
_FURTHER = """
AGREE: you are SO* RIGHT about THAT / you are bang on / you are spot on / bang on / lgtm / dead right / too right
AGREE: quite so / THAT is the case
AGREE: SEEM good to go / ALLS is good to go / they BEING RIGHTS FORME? / precisely THAT / MY answer is yes
AGREE: you have the green light / WE give you? GREEN / THATS meets with MY LEAVE / LEAVE GRANTED
AGREE: WE AM giving you? MY? LEAVE / full steam ahead / fire away / have at it / work your magic / all systems go
AGREE: both BEING RIGHTS FORME? / WE will TAKE THIS one / feel free to GO / feel free to DOING
AGREE: you are welcome to GO / you are welcome to DOING / you have THAT RIGHT
AGREE: WE PERMIT you to GO / WE PERMIT you to ACTING / WE PERMIT THIS / WE do PERMIT THIS
ASSENT: they SEEM GOODS FORME? / they are / THAT WHEN BEING GOODS FORME? / THAT WHEN WORKS WELL? FORME? / feel free
ASSENT: THE? FIELD BEING GOODS FORME? / THE? PAYMENT BEING GOODS FORME? / THE? PAYMENT WORKS WELL? FORME?
ASSENT: THAT should be GOODS FORME? / THAT does it / THATS does SURE* WORK WELL? FORME? / WE can live with THIS
ASSENT: WE do? SURE* WANT IT / WE WOULD SURE* LIKE IT / WE will go with THIS one?
ASSENT: THAT BEING much better / let us do THAT one
ASSENT: WE have no OBJECTIONS TO? THIS? / WE have no PROBLEMS WITH THIS / nothing else / nothing else to ACT
ASSENT: no OBJECTIONS here? / no objections at all / WE see no PROBLEMS / roger / copy that
ASSENT: WE AM SO* CONTENT with it all / WE AM SO* CONTENT with all of it / OKEY DOKEY / go on then
ASSENT: WE do not NEED it ANYMORE / WE do not NEED it any longer / WE do not NEED it any more / WE no longer NEED it
ASSENT: USING THE? PAYWITH ACCOUNT? / FLOW THE? AMOUNT to? SOURCE / you CAN FLOW THE? AMOUNT to? SOURCE / as i said
ASSENT: ACT them / let us ACT them / WE do? WANT to ACT them / WE WOULD LIKE to ACT them / THE? whole OBJECT
ASSENT: ACT THE? whole OBJECT / ACT THE ADDRESS / BOTHS / ACT BOTHS / WE WOULD LIKE you to ACTING
ASSENT: THE? PAYMENT ACCOUNT? / ACT THIS there
ASSENT: true / THATS BE MY NEWNESS? FIELD / SHIP THIS there / SHIP THIS to THAT FIELD / FLOW SOURCE
ASSENT: FLOW THIS? to SOURCE / you CAN FLOW THIS? to SOURCE / FLOW THE? MONEY to SOURCE
ASSENT: THE? MONEY? to SOURCE BEING GOODS FORME? / THE? MONEY? to SOURCE BEING SO* OKAY / THE? PAYMENT BEING SO* OKAY
ASSENT: FLOW ME / GO and FLOW ME / WE WANT MY MONEY back / WE do? WANT to ACTING / WE do? WANT THINGS ACTED
ASSENT: WE do? WANT it ACTED / WE WOULD LIKE it ACTED / WE WOULD LIKE THINGS ACTED / THAT BE THE? OBJECT
ASSENT: USING THE NEWER ADDRESS / SHIP THIS to THE NEWER ADDRESS / SHIP THINGS to THE NEWER ADDRESS
ASSENT: THE NEWER ADDRESS BEING RIGHTS / the whole thing / ACT the whole thing / ACT the lot / the entire OBJECT
ASSENT: ALTER THIS / ALTER THINGS / ALTER THE ADDRESS / you CAN ALTER THIS / you CAN ALTER THE ADDRESS
COURTESY: dear / kind regards / best regards / regards / cheers / good morning / good afternoon / good evening
COURTESY: sorry for the trouble / from MY side / from MY end / on MY side
COURTESY: thank u / for SORTING THIS? out? / for SORTING THE? DEED / as soon as possible / as soon as you can
"""

_ASSENT = """
ASSENT: OK then? / very well / FIRMLY / WE do? SURE* WANT THAT / i am SO* CERTAIN / ready when you are / works WELL?
ASSENT: try THIS
ASSENT: ALLS BEING GOODS FORME? / ALLS BEING SO* OKAY / give THIS a TRY / let us give THIS a TRY / WE will SAY SAID?
ASSENT: WE will do THIS / WE will
ASSENT: no PROBLEMS here / WE WOULD SURE* much? WANT to ACTING
AGREE: THAT is all WE WANT / THAT is all WE WANTED / THAT is it PRAISE / PRAISE THAT is it / THAT was MY THING
AGREE: YES THE THING
ASSENT: got it / WOULD SURE* LIKE to GO / MAKE THE DEED REQUEST / DO REFUND / MAKE REFUND / CAN? MAKE REFUND
ASSENT: you CAN MAKE REFUND
ASSENT: you CAN DO REFUND / WE WOULD LIKE to receive REFUND / WE WOULD LIKE REFUND / ACT THIS to SOURCE
ASSENT: ACT THINGS to SOURCE
ASSENT: let us verify THIS / WE WOULD prefer THIS? ON? THE? SPAN / you THEN* see the light / you have? MADE CORRECTLY
ASSENT: you have? MADE THIS CORRECTLY
ASSENT: THE DEED was MADE CORRECTLY / THAT should SURE* WORK SURE* WELL? FORME? / make THIS / i can / WE can do THAT
ASSENT: THE? SPAN BEING GOODS FORME?
ASSENT: THAT is? was THE REQUEST / see you SOON? / WE will see you SOON?
ASSENT: looking forward to it / WE AM SO* looking forward to it / can not wait / WE can not wait
ASSENT: i hope THIS one? works out? / that sounds fun
ASSENT: SO* PRAISE / and / THEN / so / all set / we are all set / you are all set / all set for THE? DEED / ready
ASSENT: THATS BEING SO* OKAY / it BEING SO* OKAY / THAT OKAY / is SO* OKAY FORME? / YES is SO* OKAY / ALLS OKAY
ASSENT: THAT GOOD / THATS SO* GOODS FORME? / THATS it RIGHT / THAT BEING better / THIS makes SO* sense
ASSENT: THAT works then / it BEING GOODS FORME? / go on
ASSENT: it SEEM GOODS / i am SO* excited / from you / i do / i am / WE? SURE* would / you do / it does
ASSENT: it? SEEM about right FORME? / THAT SEEM about right FORME? / WOULD be GOODS FORME? / to a tee / GOOD SEEM
ASSENT: it WORKS ME? WELL? FORME? / it FIT ME? WELL? FORME? / THAT WOULD? FIT ME? WELL? FORME?
ASSENT: THAT is / THIS is / THIS does / THIS WOULD be it / THIS is it / THIS is all / THIS is everything
ASSENT: THIS is all WE WANT / THIS is THEN it
ASSENT: THIS is the one WE WANT / THIS is the one WE WANT to ACTING / i am ready to GO / i am ready
ASSENT: i am ready to ACTING
ASSENT: WE WOULD SURE* much? LIKE to ACTING / WE WANT THAT / WE WANT to ACTING / i like that
ASSENT: WE LIKE THAT / let us? try THIS / you should do THIS / you should GO / PLEASE SAY PLAINLY? / SAY PLAINLY
ASSENT: you can SAY THIS / THIS is work FORME
ASSENT: THAT was MY REQUEST / THAT was MY order / NOWW / FORME / to PROCEED further? / to GO / to ACTING / for AMOUNT
ASSENT: to THE? PAYMENT account? / using THE? PAYMENT account?
ASSENT: ACT / ACT ME? THIS / ACT THINGS / MAKE THE DEED / DO THE DEED / SAY THE DEED / start to ACTING
ASSENT: GO with ACTING
AGREE: YES PLEASE? THINGS / YES PLEASE? FORON STEP / YES PLEASE? ORDER / yes THE? FIELD BEING RIGHTS / yes you can
AGREE: yes you may
ASSENT: TOLD ME? THE? SPAN / ON? THE? SPAN / WE WOULD LIKE THE? SPAN / start ON? THE? DEED
ASSENT: you CAN ACT THIS / you CAN ACT THINGS / you CAN MAKE THE DEED / let us ACT THIS / let us ACT THINGS
ASSENT: let us MAKE THE DEED
ASSENT: WE WOULD LIKE THE? MONEY to go to THE? PAYMENT / ACT THE MONEY to THE PAYMENT / ACT THIS to THE PAYMENT
COURTESY: PLEASE / THANKS / thank you / so much / very much / a MUCH / WE appreciate it / WE WOULD appreciate it
COURTESY: WE appreciate THE HELP / SIR / my friend / SMILE
COURTESY: for THE? KIND? and? KIND? HELP / for all? THE? HELP today? / for THANKED / for THANKED THIS
COURTESY: for letting me know
COURTESY: for helping ME? / for ACT THE? DEED / for TOLD THE? DEED / for the same
COURTESY: you are a SO* GOOD? STAR / you are SO* GOOD / you are the best / you rock
COURTESY: hi / hello / sorry / good job / great job / have a GOOD day / have a GOOD one / much appreciated
"""

_ALONE = """
ALONE: WE? WOULD FIRMLY LIKE to / WE WOULD love to
ALONE: SAY / SAY and SAY / SAY THIS / SAY THE same / SAY SAID
POLITE: OK / PRAISE / THANKS / thank you / SIR / hi / hello
"""

_REFUSE = """
REFUSE: NO / no way / FIRMLY not / of course not / i would? rather not / never mind / nevermind / forget it
REFUSE: i have? changed my mind / stop / stop THIS / stop THE? DEED / CALL_OFF THIS / i refuse / i decline
REFUSE: do not / do not DO THIS / do not PROCEED / do not go ahead / do not ACT / do not ACT THIS / do not ACT THINGS
REFUSE: i do not / i do not want THIS / i do not want to / i do not want to ACT THIS / i do not want to ACT THINGS
REFUSE: i do not SAY / i do not SAY to? THIS
"""

GRAMMAR = Grammar.parse(WORDS + _PARTS + _AGREE + _FURTHER + _ASSENT + _ALONE + _REFUSE, open_sets=OPEN)
