"""How people speak who are angry: insults, curses, verdicts, sarcasm, threats to leave and patience run out."""

from conversations.readings.concepts import Lexicon

_FAMILIES = {
    "INSULT": """
        muppet+, moron+, idiot+, idiotic, imbecile+, cretin+, numpty, numpties, wanker+, tosser+, twat+, pillock+,
        plonker+, prat+, dickhead+, dick+, douchebag+, douche, jackass, jackasses, dipshit+, nitwit+, dimwit+,
        halfwit+, buffoon+, charlatan+, chancer+, shyster+, swindler+, conmen, con men, con man, con artist+, robbers,
        bandits, leeches, vultures, weasels, scum, scumbag+, lowlife+, jerk+, jerks, clown+, fool+, cowboys, bozo+,
        dunce+, donkeys, monkeys, chimps, chimpanzees, dummies, dummy, dumbass, dumbasses, airheads, dolts,
        simpletons, incompetents, amateurs, jokers, wallies, wally, crooks, crook, thieves, thief, liars, liar,
        cheats, cheaters, scammers, scammer, fraudsters, hypocrites, cowards, bastards, bastard, bellend+, knobhead+,
        knob, knobs, arse, arsehole+, asshole+, asshat+, shithead+, git, gits, pigs, parasites, sharks, bloodsuckers,
        rats, snakes, trash, morons, twits, twit, ignoramus, lunatics, brain dead, braindead, nincompoop+, bunglers,
        layabouts, slackers, pricks, prick, rip off merchants, rogues, cowboy outfit, wasters, useless lot, shower,
        vermin, scoundrels, spineless, thick, clueless, gormless, brainless, inept, incompetent, useless, worthless,
        pathetic, stupid, dumb, dense, witless, dishonest, deceitful, disgusting, heartless, rude, arrogant, dumbest,
        stupidest, laziest, lazy, shameless, greedy, hopeless, crap, garbage, rubbish, joke, disgrace, shambles,
        embarrassment, laughing stock, cowboy, delusional, lying, thieving, cheating, robbing, scamming, snake oil,
        insane, insufferable, despicable, vile, atrocious, abysmal, appalling, dreadful, diabolical, dire, shocking,
        shoddy, shite, shit, bollocks, pants, wank, tripe, horseshit, bs, toilet, bottom feeders, dumpster fire, waste
        of space, waste of time, waste of oxygen, cesspit, con, scam, sham, farce, circus, mess, trainwreck, train
        wreck, car crash, nightmare, letdown, insult, abomination, horror show, shitshow, omnishambles, catastrophe,
        fiasco
    """,
    "PURE": """
        muppets, moron+, imbecile+, cretin+, numpty, numpties, wanker+, tosser+, twat+, pillock+, plonker+, dickhead+,
        douchebag+, jackass, jackasses, dipshit+, nitwit+, dimwit+, halfwit+, buffoon+, charlatan+, shyster+,
        swindler+, conmen, con artist+, scum, scumbag+, lowlife+, bozos, dumbass, dumbasses, bellend+, knobhead+,
        arsehole+, asshole+, asshat+, shithead+, scoundrels, incompetents, rip off merchants, lying, bloodsuckers,
        omnishambles, shitshow, bollocks, horseshit, shite, shambles, dumpster fire, shambolic, farcical, shameless,
        imbecilic, moronic, bastards, knobheads, thieving, crooks, liars, fraudsters, pricks, wankers, gits, cowboys
    """,
    "OURS": """
        service, company, shop, store, business, outfit, website, site, support, team, staff, people, agents, agent,
        bot, chatbot, robot, ai, system, customer service, customer care, customer support, drivers, driver, courier,
        couriers, delivery, management, department, policy, policies, process, operation, app, firm, brand,
        experience, response, responses, reply, replies, answer, answers, excuse, excuses, attitude, place, joke,
        treatment, warehouse, retailer, helpdesk, help, crowd, bunch, lot, returns, communication, logistics,
        organisation, organization
    """,
    "YOU": "you, your, yourself, yourselves, yous",
    "BE": "is, are, s, am, was, were, be, being, been",
    "MUCH": """
        absolute, utter, complete, total, pure, such, what, real, right, bloody, massive, sheer, proper, full on,
        fucking, plain, downright, absolutely, utterly, completely, totally, beyond, so, too
    """,
    "RAGE": """
        furious, livid, fuming, seething, raging, enraged, irate, incensed, infuriat*, apoplectic, outrag*,
        exasperat*, fury, rage, rageful, steaming, boiling, incandescent, hopping mad, spitting feathers, seeing red,
        pissed, ticked off, cheesed off, hacked off, peeved, tamping, ropeable, foaming, foaming at the mouth, up in
        arms, beside myself, losing it, flipping out, lose my mind, losing my mind, lost my temper, lose my temper,
        losing my temper, losing my rag, lost my rag, blow a fuse, blow my top, blowing my top, going ballistic, at my
        wits end, wits end, at the end of my rope, end of my rope, end of my tether, end of the road with, cross is,
        disgusted, disgusting, disgraceful, appalled, appalling, abhorrent, revolting, sickening, sickened, insulted,
        insulting, humiliated, unacceptable, inexcusable, unforgivable, intolerable, ludicrous, laughable, shameful,
        scandalous, atrocious, diabolical, shambolic, abysmal, pathetic, deplorable, preposterous, contemptible,
        despicable, gobsmacked, aggravated, aggravating, galling, maddening, rip off, ripoff, bonkers, asinine
    """,
}  # fmt: skip
_SIGNS = """
@PURE; you/your people/lot/clowns/jokers/muppets; ^ ~1
hopeless/useless/pathetic/disgraceful/appalling/shocking/disgusting/shambles/
terrible/horrendous/atrocious/awful/dire/rubbish/garbage/ridiculous/shameful/
abysmal/diabolical/incompetent/joke/scandalous/dreadful/criminal $; not ~1 good enough;
run/staffed/managed/led/built/designed ~1 by ~3
toddlers/children/monkeys/idiots/chimps/kids/amateurs/clowns/morons/robots/
fools/teenagers/hamsters/goldfish/baboons/donkeys/apes;
kindergarten/nursery/playground/primary_school/circus/zoo/asylum/madhouse/banana_republic ~1 here/you/is/this/$;
single ~2 brain/working/functioning/competent/person/brains; brain cell+; braincell+;
dumber/thicker/slower/dimmer/denser ~1 than; outdone yourselves; outdid yourselves; excelled yourselves;
talk*/speak*/argu* to ~1 a ~1 wall/brick/robot/parrot/toddler/child/plank/fence; in/to tears ~3 you/your/this; hope
~2 you ~3 proud/happy/ashamed/satisfied/enjoy*/pleased/sleep/choke; happy/satisfied/proud now; are/s
boiling/breaking point; at boiling_point/boiling; at boiling point; makes/make me sick; one job; oh well done; not
give a/one $; third/fourth/fifth time ~6 time; the pits; go f/fuck/screw/stuff yourself; hope ~1 your/you/this ~2
fail*/fold/folds/collapse*/close*/tank*/suffer*/rot*/lose; fobbed/strung/palmed/mugged/brushed ~1 off/along;
smash/throw/chuck/launch/hurl/punch ~4 wall/window/screen; what the heck ~1 is/are/do ~3
wrong/going/you/your/this/happening/doing; bad joke; bloody joke; torment*/tortur* ~2 me/customers/people;
passed/passing/sent/bounced ~1 around/about/pillar; robbery; extortionate; thievery; banditry; lose your jobs; out
of a job; spat in/at; hates/hate you ~1 $/all/people/guys/lot; do ~1 anything right; get ~1 anything right; do
nothing right; get nothing right; anything right; regret ~2 day/ever/order*/buy*/using/moment; wish i ~2 never ~2
order*/bought/heard/found/used/dealt/set/come; rue the day; bag of ~1 rocks/spanners/hammers/nails/shite/dicks; give
~1 you/this ~1 minus/zero/negative; why do/must/should i ~1 have/need/keep/always to/having/asking/repeating;
needs/need/deserve*/should ~2 sacked/sacking/fired/firing; need*/want*/ought sacking/firing/shooting; give me
strength; surprise surprise; what a surprise; big surprise; colour me; no shit; no kidding; get real; grow a;
amateur hour; cheeky; cheek; bare minimum; not worth the; beyond incompeten*; unreal; i cannot even; can not even;
over it; over this; i am losing it; the state of; sham of; insult to injury; adding insult; rub* salt; salt in the
wound; piece of work; pieces of work; piece of shit; piece of crap; piece of junk; pile of junk; heap of junk; load
of old; parade of ~1 idiots/errors; comedy of errors; comedy show; tragic; tragedy of; joke shop; jokeshop; mickey
mouse; two bit; tin pot; tinpot; third rate; second rate; fly by night; back street; bargain basement; just
take/takes/taking ~3 money/cash and; take/takes/taking/took ~2 money and ~1
run/vanish/disappear/ran/vanished/laugh/hide; never ~1
felt/been/seen/met/experienced/dealt/known/encountered/come/had ~1 so/such/anything/anyone/service/this/across ~3;
care ~2 about your; not give me your; your ~1 precious/pathetic/little/so_called ~1
policy/policies/rules/system/procedure; spit* ~2 face; laugh* ~2 at me/us/customers/your_customers; laughing stock;
laughingstock; i ~2 want ~3 blood/heads; you/u ~1 @MUCH/bunch/lot/pack/load/set ~3 @INSULT; you/yous/u ~1
people/guys/lot/all/clowns/- @BE ~4 @INSULT; you ~1 @PURE; bunch/pack/gang/load/set/shower/crew/group/nest/herd/team
of ~2 @INSULT/muppets/cowboys/children/toddlers; your/this/the/that ~2 @OURS ~2 @BE ~4 @INSULT; @INSULT ~2
customer_service/service/company/shop/support/customer_care/customer_support/
excuse/excuses/outfit/website/staff/attitude/people/agents/bot/chatbot/robot/ system/operation/business/store; @MUCH
~2 @INSULT; how ~1 thick/dense/stupid/dumb/useless/incompetent/inept/hard/dare/difficult ~3
can/could/are/is/do/does/you/it/be; @RAGE; this/it/that/situation ~2 @BE ~4
joke/farce/disgrace/shambles/insult/robbery/nonsense/madness/criminal/
disgusting/rubbish/garbage/bull/crap/insane/absurd/insanity/mickey/torture/nightmare;
makes/making/made/drive*/driving/send*/drove/got ~1 me ~4
angry/mad/sick/furious/crazy/insane/nuts/bonkers/scream/wall/bend/blood/livid/ mental/vomit; blood ~3 boil*; steam
~5 ears; bite ~1 my tongue; do*/doing ~1 my head/nut in; want/could/feel to/like/- ~1 scream*/explode/punch;
tear*/pull* ~2 my hair; head ~2 explod*; banging my head; brick wall; at/reached/past/beyond ~2 my/breaking ~1
limit/limits/point/end/wits; my/last/patience ~3 nerve/patience/straw; last nerve; last straw; final straw; on my
nerves; get on my wick; got my goat; patience ~4
run/ran/thin/gone/out/over/lost/wear*/exhaust*/snap*/end*/limit*/zero/left/spent;
run*/ran/lost/losing/lose/no/zero/out ~3 patience; had/have ~2 it with/up/- ~3 here/you/your/this; had it; up to
here; fed up; sick and tired; sick to death; sick of; sick to the back teeth; tired of ~2
your/you/this/these/waiting/being/excuses/chasing/repeating/explaining/lies/ asking/begging; had ~2
enough/gutful/bellyful ~1 of/with/now/-; enough ~1 of/with ~1 your/this/the/these; enough is enough; i/we ~1
am/are/have/- ~1 done/finished/through ~1 with ~1 you/your/this/these/being/here/all/company/shop/it; stop sending
me ~2 links/link/templates/template/canned/automated/same/copy/bot/survey*/rubbish/crap; i/we ~1 am/are ~1 done ~1
here/asking/waiting/playing/talking/dealing/$; so done; done being/asking/playing/waiting/talking/begging; beyond ~1
joke/angry/annoyed/frustrat*/belief/ridiculous/parody/pale/disappointed/words/ comprehension/a_joke; beggars belief;
belief ~1 beggar*; having/avin ~1 laugh/giraffe/me_on; hav* a/- laugh/giraffe; take*/taking/took ~1
piss/mickey/mick/michael/biscuit/cake/pee; taking ~2 for ~2 ride/fool/fools/mug/mugs/idiot/idiots; take/took/taken
me/us for ~1 ride/fool/mug/idiot; what ~1 @BE wrong with you; what ~3 playing at; what planet are you; what is your
problem; are you for real; you for real; are you deaf; are you blind; are you thick; are you mad; are you mental;
are you insane; are you serious; are you kidding; are you joking; are you high; are you drunk; you serious; got to
be kidding; got to be joking; have to be kidding; have to be joking; must be kidding; must be joking; you kidding;
you joking; kidding me; pulling my leg; is this a joke; is this some ~2 joke; some kind of ~1 joke; sick joke; cruel
joke; on what planet; in what world; living joke; what in/on the/gods/god ~1 world/earth/hell/blazes/name;
what/how/why/where/who/when the/on ~1 hell/earth/fuck/f/devil/bloody/actual/flip; for ~1
pete*/god/gods/crying/christ*/heaven*/fuck*/goodness/love/petes/pity s/of/out/sake ~2 sake/loud/god/pete/fuck;
jesus/christ/jeez/jesus_christ/bloody_hell how/what/just/can/do/why/are/you/again/-; jesus christ; good grief; good
god; good lord; my god you; oh my god you; hells teeth; hell s teeth; god almighty; flipping heck; flipping hell;
how many ~1 times/emails/calls/people/more/weeks/days/chats ~1 do/must/have/will/does/before/it/- ~1
i/it/to/take/you/-; for the last/hundredth/umpteenth/tenth/millionth/third/fourth/fifth/final time ~4; you/u
people/lot/guys/clowns ~1 @BE ~3 slow/bad/blind/deaf/terrible/awful/ridiculous/unreal/unbelievable/impossible/
something/mental/mad/taking; thanks/thank_you/thank for
ruin*/wast*/breaking/losing/ignoring/destroy*/lying/wrecking/spoil*/nothing/ screw*/messing; your ~1
stupid/dumb/idiotic/bloody/damn/pathetic/silly/ridiculous/useless/so_called/
moronic/precious/rubbish/crappy/shitty/lousy/poxy/crummy/worthless; stupid/useless/dumb/bloody/poxy/daft
thing/bot/robot/machine/policy/rule/rules/company/shop/people/website/app/ system/chatbot/computer/excuse; so called
~1 support/service/help/company/shop/care/experts/team; so_called;
@BE/been/living/absolute/pure/total/sheer/through/utter hell; scam scam; throw/chuck/launch/hurl ~3
out/through/at/across ~3 window/wall/room; blood pressure; through the roof; off the charts; off the scale; hit the
roof; hitting the roof; speechless; lost for words; no words; words fail; beyond words; mind boggl*; boggles the
mind; jaw dropp*; short of ~1 theft/criminal/robbery/fraud/scandalous/disgrace*; it/this/that/you ~1 is/are/s ~1
theft/stealing/thieving/extortion; not/none/no ~1 one/- of you ~4; any/one of you ~4
read/think/care/work/listen/clue/brain/competent/speak/capable/sense/english; you ~1 all/people/lot/guys ~2
read/listen/think; tie ~3 laces/shoelaces/shoes/bootlaces; born yesterday; came down ~2 last shower; came up the
clyde; fell off a turnip; fell off the ~2 truck; masterclass in/of; textbook example of ~2; cheek of; what ~1 cheek;
bloody cheek; brass neck; some cheek; never ~1 email/contact/call/message/write ~1 me again; disgrace to;
embarrassment to; insult to ~3; slap in the face; kick in the teeth; two fingers; middle finger; for a
mug/fool/idiot/ride; @INSULT @INSULT; still in business; allowed to trade; allowed to operate; stay in business; for
~1 goodness/heavens/gods/petes/christs/fucks/pitys sake; ffs; wtf; wtaf; wth; stfu; gtfo; omfg; jfc; fml; pos
company; af angry; fu; f u; f off; f you; f this; f all; eff off; eff this; eff you; naff off; sod off; sod this;
sod it; bugger off; bugger this; piss off; pissing me; pisses me; pee off; shove it; shove your; shove this; stuff
your; stick your ~3 where/up; up yours; get stuffed; get lost with/you/and; get bent; get knotted; screw you; screw
this; screw your; go to hell; rot in hell; burn in hell; kiss my; bite me; my arse; my ass; my foot; cut the crap;
cut the nonsense; cut the bull; the ~1 actual f/hell/heck/fuck; load/bunch/pile/heap/pack/crock/bucket/steaming ~3
of ~2 bs/crap/bull/bullshit/rubbish/nonsense/shit/tosh/garbage/lies/tripe/bollocks/
excuses/baloney/horse/manure/hogwash; this/that/your/such/more/same/total/utter/with ~1
crap/shit/bs/bullshit/bull/nonsense/garbage/rubbish/drivel/tripe/claptrap/twaddle/hogwash; crap/shit ~1 @OURS;
damn/bloody/goddamn/effing/fricking/flaming/sodding/blasted/ruddy ~1
@OURS/money/order/parcel/thing/job/refund/package; do/doing your ~2 job/jobs; not ~3 my job;
answer/fix/sort/send/refund/deliver/read/solve/explain ~2 damn/bloody/goddamn; treat*/talk* ~3 like ~1
dirt/garbage/crap/trash/shit/idiot/idiots/fool/fools/child/criminal/criminals/
rubbish/stupid/mug/mugs/scum/nothing/muck/dog/cattle/nobody/number/moron; should/ought ~2 be ~1
ashamed/embarrassed/closed/shut/fired/sacked/bankrupt/illegal/jailed/jail/prison; ashamed of your*; shame on; hang
your head*; have/has/got ~2 nerve/audacity/gall/cheek/brass; the ~2 nerve/audacity/gall/cheek ~1 of/to/you/-; how
dare; nothing but ~3 lies/excuses/trouble/grief/hassle/stress/nonsense/problems/incompetence/misery; lies/lied/lying
~2 to/after/upon/and/about ~1 me/us/my/lies/your/-; pack of lies; bare faced; barefaced; bold faced lie; stop lying;
full of it; full of shit; full of hot air; talking out of; through your teeth; stop ~2
fob*/stall*/ignor*/lying/play*/wast*/mess*/pass*/copy*/dodg*/giv*/feed*/string*/
jerk*/insult*/patronis*/patroniz*/bullshit* ~2 me/us/your/my/the/games/templates/around/about/same/buck/on/off;
fob*/string*/jerk*/mess*/mug*/lead*/muck*/dick*/push*/piss* ~1 me/us ~2 off/along/around/about/runaround/over; mug
me off; mugged off; runaround; run around in circles; going in circles; going round in circles; round the houses;
wild goose; passed from pillar; pillar to post; pass the buck; passing the buck; ripped/ripping/rip ~2 off; rip off;
ripoff; daylight robbery; highway robbery; robbing; robbed; fleeced; swindled; conned; shafted; stiffed; screwed ~2
over; stitched up; mugged; scammed; cheated; defrauded; hoodwinked; bled dry;
steal*/stole/stolen/thieving/robbing/robbed/keep*/pocket*/nick*/holding ~2 my/our ~1 money/cash/hostage/refund; you
~2 stole/stolen/robbed/conned/cheated/scammed/ruined/wrecked/destroyed/trashed/ lied/ignored/betrayed; wast* ~4
my/our/hours/days/everyone/everybody ~2 time/life/day/money/evening/weekend/afternoon/morning/energy/breath/hours;
my time ~2 wast*; ruin*/wreck*/destroy*/spoil* ~2 my/our/his/her/the/whole/daughter/son/christmas ~3
day/birthday/wedding/christmas/holiday/party/anniversary/weekend/surprise/
everything/graduation/vacation/honeymoon/moment/trip/life/week/event/evening; never ~3
buy*/order*/shop*/us*/deal*/spend*/do*/giv*/touch*/trust*/recommend*/purchas*/darken*/set* ~5
again/you/here/from/ever/business/penny/cent/dime/company/store/shop/foot/rubbish/door; never again; last time i ~3
order/buy/shop/use/spend/ever/trust/do; lost a customer; lost me as; lost ~1 customer; lose a customer; losing a
customer; customer for life lost; taking my business/money/custom ~1 elsewhere; not ~2 another/one ~1
penny/cent/dime/pound/dollar; avoid ~2 like/at/this/these ~2 plague/all/company/shop/costs; warn*/tell* ~2
everyone/everybody/people/anyone/others/all/world/friends; worst ~5
ever/company/shop/service/customer_service/experience/i/website/store/support/
world/planet/decision/dealt/life/retailer/customer_care/customer_support/universe; worst ~2 of the worst; least ~2
competent/helpful/professional; biggest ~3
joke/scam/mistake/regret/waste/load/bunch/idiots/con/pile/ripoff/disgrace/disappointment; go bankrupt; go bust; go
under; out of business; hope you ~4 bankrupt/bust/under/fired/sacked/burn/choke; deserve to ~3
bankrupt/bust/fail/closed/shut/fired; hate you/your/this/dealing ~1
people/company/shop/store/place/bot/robot/website/guts/lot/thing/service/with/$; loathe; despise; detest; cannot
stand you; can not stand ~1 you/your/this; couldn/could not ~1
organis*/organiz*/run*/find*/care/pour/manage*/give/arrange ~2
piss*/booze*/bath*/arse/paper*/less/damn/toss/party/lemonade/bun/raffle; could not care less; could care less; no
one gives a; nobody gives a; do not give a ~1 damn/toss/shit/monkey/monkeys/rat/crap/hoot/stuff/f; give a ~1
damn/toss/shit/monkey/monkeys/rat/crap/hoot/stuff/f; nobody/noone/no/none/anyone/anybody ~4 has/have/got/knows/know
~1 a/the/any ~1 clue/brain/idea/foggiest/brains; not ~1 have/got ~2 clue/brain/brains/foggiest ~1;
brain/brains/braincell/cells ~4 share*/between/left/working/one/two; between ~2 ears; use*/as
much/useful/good/much/bright/helpful/sharp ~3 as ~1 a/an/two ~1
chocolate/glass/handbrake/chocolate_teapot/wet/brick/bag/ashtray/screen/paper/
doorstop/potato/rock/concrete/lead/doornail/inflatable/teapot/plank/two/post/ hole/spoon/sieve; chocolate teapot;
chocolate fireguard; waste of space; waste of oxygen; waste of time; waste of money; waste of skin; waste of breath;
waste of everyone; less use than; more use than; slow clap; clap clap; round of applause; golf clap; give yourselves
a; pat yourselves; take a bow; gold star; medal for; award for ~3 worst/most/incompet*/useless; congratulations ~1
on ~4 worst/dumb*/stupid*/losing/ruin*/wasting/useless/incompet*/being/messing/ failing/screw*/breaking/managing;
well done ~3 you/idiots/geniuses/everyone/for/on/again/guys ~2
lost/lose/losing/ruin*/wrong/mess*/screw*/failing/wast*/brok*/late/muppets;
great/good/nice/fantastic/brilliant/amazing/stellar/wonderful/lovely/bravo/ outstanding/excellent/superb/top ~1
job/work/going/effort/stuff/service/bravo ~5
lost/losing/ruin*/wrong/mess*/screw*/fail*/wast*/brok*/late/idiots/geniuses/not/
again/nothing/nobody/ignor*/weeks/muppets/another; oh/wow/gee ~1
great/brilliant/wonderful/fantastic/marvellous/lovely/perfect/super/bravo/joy/ fabulous/terrific ~2
another/yet/more/again/nothing/helpful/still/wrong; thanks ~3 nothing; thank you for nothing; thanks a bunch for;
thanks a bundle; thanks a million for ~3 nothing/ruin*/wast*/losing; cheers for nothing; ta for nothing; geniuses;
einsteins; well done sherlock; well done einstein; rocket scien*; brain surg*; spare me; do not give me ~3
crap/that/rubbish/excuse*/attitude/bull/nonsense/script*; do not you dare; don not patron*; do not patron*; do not
insult; do not even; insult* ~2 my/our intelligence; i was not born; was not born yesterday; do i look ~2
stupid/like/thick; do you think ~2 am/i ~3 stupid/idiot/made/thick/fool/dumb; think i am ~1
stupid/idiot/fool/thick/dumb/joking/mug; take me for; blah blah; yada yada; whatever you clowns; talk to the hand;
read ~2 damn/bloody/again/my lips; learn to read; can you ~1 read; can you even; do you even; did you even; do any
of you; is anyone ~1 alive; anybody home; anyone home; hello anyone; wake up; sort yourselves out; sort your; sort
it out; get your act together; get your shit; get a grip; get a clue; grow up; pull your finger; pull your socks;
buck your ideas; pull the other; jog on; do one; give it a rest; shut up; shut your; zip it; talk sense; use your
brain; i ~2 demand/insist ~3; heads ~2 roll; someone ~3 fired/sacked; i ~2 not ~2 be
fobbed/ignored/treated/silenced/insulted/patronis*/patroniz*/spoken/messed; cannot/can/could not believe ~2
the/how/you/this/your/people ~3 incompeten*/stupid*/nerve/cheek/useless/bad/rude/awful/treat*/get/dare/crap/
level/still/lot; @BE ~1 not ~1 rocket/brain/hard/difficult ~1; it is not rocket; not rocket science; how hard ~3
it/be; incompeten*; ineptitude; stupidity; idiocy; imbecility; negligence of; contempt; absurdity; audacity;
dishonesty; arrogance; laziness; disrespect*; rudeness; hung up on me; slammed the phone;
total/complete/absolute/utter/pure ~1
disaster/chaos/failure/mess/disregard/contempt/lack/nonsense/nightmare/cowboys/ madness/lunacy/piss/disappointment;
drop/drops/sink* ~2 dead/lower; zero/0/no/minus/negative stars/star; zero ~1
respect/integrity/accountability/competence/decency; angry/mad/cross/annoyed/upset/wound ~1 at/with/by ~2
you/your/this/company/shop/how/way; i am/are ~3 angry/mad/cross/raging/angrier/p'd/ticked/triggered/vexed/heated;
so/very/extremely/really/this/how ~1 angry; angrier; angriest; anger; sucks; suck; sucked; stinks; blows chunks
"""
_HARMLESS = """
costume+/book+/movie/film/poster+/shirt+/mug+/sticker+/halloween/toy+/costumes/
toys/books/game/games/lego/puzzle/novel/wig/card/cards/squad/boots/hat/cowboys_hat; but ~6
fixed/sorted/solved/resolved/helped/fine/great/perfect; all sorted/good/fine; bunch/pack of ~2
flowers/roses/tulips/bananas/keys/grapes/cards/pens/batteries/three/two/four/
six/ten/stuff/items/things/questions/people/friends; not/never/no/hardly ~2
angry/mad/furious/upset/cross/bad/annoyed/livid/rude/fault/worries/worst/rage/ raging/insult*; sorry/apolog* ~1
for/to/that/if ~4; @INSULT/@RAGE/worst/insane* ~3 but ~3 fine/ok/okay/great/love/thank*; going/drive*/driving ~1
mad/crazy/nuts/insane ~2 trying/looking/for/over/about;
ridiculously/insanely/stupidly/stupid/crazy/sick/wicked/mad/dead ~1
good/fast/cheap/cute/comfy/comfortable/soft/beautiful/quick/easy/happy/cool/ nice/helpful/gorgeous;
love/loved/loving/adore/delighted/grateful/appreciate ~6; so/very/really/pretty/that is/was/- ~1 kind of you; thank
you ~1 so/for/very ~6; my ~1 bad/fault/mistake ~2; joke gift/book/shop/card/mug/present/toy; i ~2
stupid/dumb/idiot/silly/fool/rude/clumsy/lazy/an_idiot; stupid/silly/dumb ~1 question/me/mistake/of; mad ~1
about/max/hatter/men/scientist/for/at/hatters ~1 this/myself/it/the/tea/-; angry birds/bird; do you
sell/have/stock/carry; in stock; pleasure/joy/excited/funny/hilarious/haha/lol/cute; sorry ~3
rude/mad/angry/cross/snapp*/impatient; feel/felt/feeling like ~2 fool/idiot; mess ~2 on/in/of/with/up/around ~2
my/the ~2 order/address/floor/kitchen; rubbish/garbage/trash ~1 bag+/bags/bin/bins/can/cans/disposal/collection;
boiling water/pot/hot; deal/sale/price/quality/colour/color/design ~3 insane/crazy/unreal/ridiculous
"""
_FIRM = """
for ~1 love of ~1 god/christ/all/everything/pete; take/taking/taken/takes/took me/us for ~1 mug/fool/ride/idiot;
liars; thieves; crooks; muppets; morons; scumbags; imbeciles; sick ~1 joke; what the hell; what the fuck; wtf; ffs
"""
# Each of these is a complaint; two of them weigh as much as one sign of anger.
_GRUDGES = """
still ~2 waiting/nothing/no/not/havent; no/zero reply/response/answer/update/apology/explanation/refund/help;
nobody/noone/no_one/none ~3 answer*/help*/care*/respond*/repl*/listen*/know*; ignor* ~2
me/my/us/emails/messages/calls; second/third/fourth/fifth/sixth/tenth/3rd/4th/5th time;
two/three/four/five/six/seven/eight/ten/several/countless/many/endless/3/4/5/6/7/8/9/10/12 ~1
weeks/months/emails/calls/times/hours/chats/agents/people; again ~2; excuse*; nonsense; pointless; ridiculous;
unprofessional; shoddy; pathetic; incompeten*; rude; lies; lied; useless; wast*; enough;
bad/poor/worst/terrible/awful/horrible/shocking/appalling/dreadful ~2 @OURS; unbelievable; unreal; absurd; insane;
seriously; honestly; what/how ~1 is/do/can/are/on/could you/this/it/earth; you/your ~3
fail*/refus*/promis*/mess*/lost/broke/ignor*/never/keep; same ~2
answer/reply/excuse/question/template/thing/rubbish; refund me now; answer me
"""

ANGER = Lexicon(_FAMILIES, _SIGNS, _HARMLESS, _FIRM)
GRUDGE = Lexicon(_FAMILIES, _GRUDGES)
