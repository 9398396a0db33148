"""How people speak who are hurt, may be hurt, want to hurt themselves or threaten somebody."""

from conversations.readings.concepts import Lexicon
from conversations.readings.words_threat import DESPAIR, THREATS

_FAMILIES = {
    "WHO": """
        me, us, him, her, them, i, we, he, she, myself, son, daughter, kid+, child, children, baby, toddler+, infant,
        newborn, wife, husband, partner, boyfriend, girlfriend, mum, mom, mummy, mother, dad, daddy, father, grandma,
        grandmother, gran, nan, nana, granny, grandad, granddad, grandpa, grandfather, grandson, granddaughter,
        brother, sister, nephew, niece, cousin, aunt, auntie, uncle, friend+, neighbour+, neighbor+, roommate,
        flatmate, dog+, puppy, cat+, kitten, pet+, rabbit, hamster, horse, parrot, guest+, colleague, coworker, boy+,
        girl+, twins, twin, fiance, fiancee, mate, somebody, someone, anyone, anybody, year old, little one, guinea
        pig, bird, lady, man, woman, passerby, pedestrian, bystander, elderly, old, grandchild, stepson, stepdaughter,
        housemate, tenant+, client+, patient+, visitor+, carer, pensioner, foal, chickens, tortoise, baby s, infant s,
        little girl, little boy, lad, lass, bairn, everyone, everybody, people, family, customers, tenant, nanny,
        babysitter, students, granddaughters
    """,
    "BODY": """
        hand+, finger+, fingertip+, fingernail, arm+, forearm+, leg+, face+, skin, eye+, eyebrow+, eyelash*, eyelid+,
        mouth, tongue, foot, feet, toe+, toenail, thumb+, lip+, throat, scalp, head+, neck, back, palm+, wrist+,
        tooth, teeth, gum+, knee+, ankle+, nose, rib+, shoulder+, elbow+, chest, stomach, belly, tummy, ear+, cheek+,
        forehead, chin, hip+, spine, thigh+, shin+, calf, calves, knuckle+, jaw, collarbone, groin, gullet, paw+,
        heel+, lung+, airway+, windpipe, tailbone, pelvis, femur, kneecap, lap, bum, bottom, nostril+, cornea, retina,
        earlobe, armpit+, torso, skull, gut, wrist bone, nail bed, artery, tendon+, ligament+, nerve+, brow, temple,
        insides
    """,
    "HURT": """
        burn, burned, burnt, burns, burning, scald*, sing*, blister*, cut, cuts, cutting, slic*, gash*, slash*,
        lacerat*, pierc*, punctur*, stab, stabbed, stabbing, impal*, crush*, pinch*, trapp*, fractur*, dislocat*,
        sprain*, twist*, bruis*, bled, bleed*, swollen, swell*, swelled, swelling, numb, tore, torn, ripped, hit,
        struck, smack*, whack*, stung, bit, graz*, scrap*, skinn*, chipp*, knock*, smash*, sever*, amputat*, chopp*,
        snapp*, zapp*, shock*, electrocut*, jolt*, raw, inflam*, infected, irritat*, throb*, scar, scarred, scarring,
        scars, blind*, broke, broken, breaking, nick*, jabb*, poked, gouged, mangl*, maul*, squash*, jamm*, wedg*,
        ruptur*, dent*, split, peel*, sting*, itch*, tingl*, paralys*, paralyz*, charr*, melted, lodged, embedded,
        stuck, shred*, sawed, sliced, hurt, hurts, hurting, injur*, caught, bump*, bash*, bang*, flayed, seared,
        fried, lost, shatter*, puffed, puffy, bloody, blood, fell, landed, burst, popped, killing, splinter,
        splinters, cramp*, wound*
    """,
    "MAIM": """
        burned, burnt, scalded, singed, electrocuted, shocked, zapped, injured, poisoned, choked, suffocated,
        strangled, crushed, trapped, stabbed, impaled, bitten, maimed, disfigured, concussed, wounded, hospitalised,
        hospitalized, blinded, drowned, winded, lacerated, hurt, knocked out, scarred, jolted, fried, gassed, pinned,
        knocked unconscious, asphyxiated, thrown, stung, decapitated, killed, blistered, bleeding, unconscious
    """,
    "MEDIC": """
        hospital, hospitalised, hospitalized, a&e, emergency room, emergency department, casualty, urgent care,
        ambulance, paramedic+, 911, doctor+, doc, gp, nurse, surgery, surgeon, stitches, stitch, sutures, icu, epipen,
        tetanus, dentist, vet, vets, emergency vet, poison control, poison centre, poison center, intensive care, er,
        burns unit, burn unit, operating theatre, walk in clinic, clinic, x ray, xray, skin graft, physio,
        ophthalmologist, dermatologist, emergency services, fire brigade, fire department, fire service, firefighters,
        firemen, fire engine, antibiotics, steroids, antihistamine+, stomach pump, cpr, heimlich, medics, minor
        injuries, emergency dentist, plaster cast, crutches, ct scan, optician, oxygen, defibrillator, resuscitat*,
        first responders, drip, specialist
    """,
    "AILING": """
        hives, rash, rashes, welts, anaphyla*, wheez*, concussion, seizure+, epileptic, convuls*, vomit*, unconscious,
        fainted, fainting, electrocut*, electric shock, electrical shock, static shock, suffocat*, asphyxiat*,
        poisoned, food poisoning, e coli, salmonella, listeria, botulism, carbon monoxide, gas leak, blistering,
        blisters, third degree, second degree, first degree, chemical burn+, chemical burns, burn marks, stitches,
        haemorrhag*, hemorrhag*, lacerat*, laceration+, frostbite, nosebleed, palpitations, heart attack, stroke,
        hyperventilat*, eczema flare, dermatitis, sepsis, lead poisoning, internal bleeding, fractured skull,
        whiplash, miscarriage, tetanus, epipen, black eye, broken nose, broken ankle, broken wrist, broken arm, broken
        leg, broken rib, broken ribs, broken collarbone, torn ligament, swollen lips, swollen face, swollen tongue,
        passed out, passing out, blacked out, lost consciousness, losing consciousness, threw up, throwing up, thrown
        up, bleeding, bled, scalded, scalding, injury, injuries, injured, choked, choking, chokes, asthma attack,
        allergic reaction, severe reaction, went blue, turned blue, turned purple, gone blue, going blue, went purple,
        went limp, stopped breathing, toxic fumes, fingertip off, electrocution, severed, amputated, amputate,
        disfigured, coughing up blood, spitting blood, pouring blood, blood everywhere, covered in blood, dripping
        blood, lots of blood, pool of blood
    """,
    "BLAZE": """
        fire, flames, flame, spark, ablaze, alight, smoke, smoking, smoked, smouldering, smoldering, smouldered,
        smoldered, sparks, sparking, sparked, arcing, exploded, explodes, exploding, explosion, blew up, blown up,
        blowing up, blow up, detonated, combusted, combust, ignited, caught light, short circuit*, shorted, shorting,
        overheat*, melted, melting, melts, scorched, charred, fumes, red hot, white hot, fireball, inferno, fizzing,
        hissing, sizzling, scorch marks, burn marks, burning smell, burnt smell, burned, burnt, burning, caught fire,
        turning brown, turned brown, glowing, fizzled, acrid, soot
    """,
    "THING": """
        charger, battery, batteries, power bank, powerbank, lamp, light, lights, bulb, kettle, toaster, blender,
        mixer, fryer, air fryer, oven, stove, grill, bbq, heater, radiator, blanket, electric blanket, heating pad,
        iron, straightener+, hair dryer, hairdryer, dryer, phone, laptop, tablet, watch, scooter, e scooter, ebike, e
        bike, bike, hoverboard, drone, toy, plug, socket, adapter, adaptor, cable, cord, lead, wire, wiring, extension
        lead, extension cord, outlet, microwave, dishwasher, washing machine, fridge, freezer, humidifier, diffuser,
        fan, speaker, headphones, earbuds, vape, candle, jar, bottle, glass, unit, device, machine, motor, appliance,
        vacuum, cleaner, router, tv, television, monitor, printer, generator, pump, cooker, pressure cooker, slow
        cooker, instant pot, coffee maker, coffee machine, curlers, tongs, hair tongs, curling iron, pack, it, thing,
        fairy lights, string lights, night light, projector, console, soundbar, back, product, mower, trimmer, one,
        lighter, torch, shaver, toothbrush, clock, radio, camera, gadget, blower, massager, gun, usb, base
    """,
    "GAVE": """
        collapsed, collapses, collapsing, gave way, gave out, giving way, snapped, toppled, topple, tipped, broke,
        came apart, fell apart, came off, flew off, shot off, buckled, folded, failed, detached, came loose, cracked,
        shattered, popped off, sheared off, split, fell off, slipped, exploded, burst, locked up, dropped, broke off,
        disintegrated, came down, came undone, jammed, ripped off, unhooked, flipped, tips over, fell over
    """,
    "SWALLOWED": """
        swallow*, ingest*, inhal*, ate, eaten, eating, drank, drunk, chok*, gagg*, chewed, bit into, bit down on,
        licked
    """,
    "SMALLS": """
        magnet+, battery, batteries, button+, bead+, screw+, piece+, bit+, part+, bleach, detergent, glue, coin+,
        pellet+, cap, lid, plastic, glass, metal, wire, shard+, splinter+, stone+, eye+, wheel, bolt, nut, liquid,
        paint, capsule+, pills, tablets, chemical+, gel, cleaner, beads, ball+, marble+, sticker, foam, it, cell,
        needle
    """,
    "FOREIGN": """
        glass, metal, plastic, needle+, shard+, splinter+, screw+, maggot+, mould, mold, insect+, bug+, razor, blade+,
        nail+, wire, bone, stone+, cockroach*, worm+, staple+, rat, mouse, blood, tooth, rust, bleach
    """,
    "FOOD": """
        food, jar, yoghurt, yogurt, soup, cereal, snack, meal, chocolate, bar, drink, bottle, juice, salad, milk,
        formula, bread, cake, cookies, biscuits, sauce, can, tin, tea, coffee, crisps, chips, candy, sweets, pasta,
        rice, granola, honey, jam, packet, pouch, puree, smoothie, protein powder, noodles, kibble, dog food, cat food
    """,
    "VIOLENT": """
        kill*, murder*, shoot*, shot, stab*, strangl*, throttl*, beat, beating, punch*, slap*, batter, battering,
        bash*, smash*, deck, decking, kick, kicking, kicked, hurt, hurting, harm, harming, torch*, burn, burning,
        bomb*, attack*, slit*, hunt, hunting, knife, knifing, maim*, tortur*, slaughter*, drown*, chok*, gut, gutting,
        skin, skinning, butcher*, break, breaking, crush*, poison*, execut*, run over, running over, rip, ripping,
        knock, knocking, thump*, hammer*, lynch*, hang, hanging, behead*, assault*, destroy*, crippl*, bury, burying,
        clobber*, whack*, firebomb*, petrol bomb, blow up, blowing up, shoot up, set fire to, set alight, mow down,
        mess up, wring*, ram, ramming, rearrang*, snap, snapping, cave, caving, headbutt*, fight, waste, gas, gassing,
        finish, end, jump, jumping, stomp*, wreck*, damage, strike, bite, deal with, set my dogs on, set the dogs on,
        setting the dogs on
    """,
    "TARGET": """
        you, your, yours, him, her, them, his, their, everyone, everybody, anyone, someone, somebody, driver+,
        courier+, manager, staff, employee+, office, warehouse, store, shop, depot, building, headquarters, hq, guy,
        delivery guy, delivery man, delivery driver, bastard, bastards, people, team, whoever, every, ceo, boss,
        agent, postman, idiot, place, all, one, van, bunch, lot, clerk, workers, family, house, windows, person
    """,
    "WEAPON": """
        gun+, knife, bat, baseball bat, rifle, pistol, shotgun, axe, hammer, crowbar, machete, petrol, gasoline,
        molotov, molotovs, bomb, explosives, grenade, ar 15, firearm, blade, brick, bullet, bullets, sledgehammer,
        glock, chainsaw, acid, weapon+, matches, cricket bat, pipe, tyre iron, tire iron, knuckle duster, petrol can
    """,
    "MYSELF": "myself, meself",
}  # fmt: skip
_SIGNS = """
@HURT ~4 my/his/her/our/their/s/old/both/@WHO ~2 @BODY; my/his/her/our/their/s/both/@WHO ~1 @BODY ~4 @HURT; @HURT ~2
@BODY off/open; chunk/slice/piece/tip/bit ~1 out/of/off ~2 my/his/her/@WHO ~2 @BODY;
in/into/on/onto/over/across/against/down/to/inside/through my/his/her/our/their ~2 @BODY;
flew/shot/fell/landed/popped/splash*/pour*/spray*/spill*/spat/explod*/burst/hit/
struck/sling*/squirt*/smack*/whack*/toppl*/tipp*/drip*/came/went/dropp*/swung/ ricochet*/crash* ~4
in/into/on/onto/over/across/against/down/to/through/under/between/inside/past my/his/her/our/their/@WHO ~2 @BODY;
hit/struck/smack*/caught/got/whack*/stabb*/poked/cracked/clock*/bash* @WHO ~3 @BODY;
hit/struck/smack*/caught/got/whack*/stabb*/poked ~2 @WHO ~1 in/on/across/around the/- @BODY;
land*/fell/fallen/fall*/came/crash*/toppl*/tipp*/collaps*/dropp*/crush*/squash*/ trapp*/@GAVE ~3
on/onto/under/over/top/beneath ~5 @WHO/year_old; land*/fell/fall/went/knock*/hit/bang*/crack* ~3 my/his/her ~1
head/face/back/neck/hip/knee/knees/tailbone/wrist/teeth; @WHO ~2 was/were/is/are/been/being/got/get/am/be ~2 @MAIM;
@MAIM/bit/cut/scratched ~1 me/us/him/her/son/daughter/baby/kid/kids/child/wife/husband/mum/mom/mother/
toddler/dog/cat/children; got/had/received/get/gave/gives/giving/felt/delivered ~4 shock/jolt/zap;
a/the/nasty/bad/big/mild shock from/off/through/when; @AILING; @WHO ~1 all ~1 ill/sick/poorly/vomiting/unwell; all
~1 ill/poorly/unwell $; came/come/flew/fell/thrown ~1 off ~2
bike/scooter/motorbike/motorcycle/horse/skateboard/ladder/bicycle/trike/trampoline; @WHO ~1 fell/fallen ~1
because/when/after/as/off/down/over/hard/from; slipped ~1 on/and/off/because ~6 hurt/fell/back/floor/head; @WHO ~1
collapsed/collapses/convulsed/fitting/vomiting/choking/fainted/unconscious/ bleeding/wheezing;
cut/burned/burnt/hurt/injured/scalded myself ~1 on/with/$/badly/when/because/trying/opening/and; pus; died ~4
because/after/from/due; killed ~2 @WHO; burning_smell; burnt_smell; burned smell; zap*/shock*/electrocut* ~1
you/me/us/him/her/everyone/anyone/people ~2; cough* ~1 up/- blood; blood ~1 in/from ~1 my/his/her; black and blue;
agony; excruciating; writhing; screaming ~2 pain; in/so ~2 severe/terrible/much/serious/extreme/constant/awful ~1
pain; scream* in ~1 pain; is/be/was/been/were/started/starts/start/keeps/began ~2
smoking/sparking/smouldering/smoldering/arcing/burning/melting/hissing/glowing/ fizzing/overheating ~1
like/from/at/on/when/in/and/hot/red/again/$; pass/passed/passing/black/blacked/blacking/nearly out ~1
from/when/after/in/on/because/at/and/$; faint; fainted; fainting; dizzy spells; heart ~2 rac*/stopp*/palpitat*;
chest pain+/tight*; tight chest; spiked; drugged; hair/finger+/arm/hand/sleeve/scarf/beard/paw ~3
caught/sucked/pulled/tangled/trapped/stuck/dragged ~1 in/into/inside/between; sucked/pulled/dragged ~2 into/in;
clos*/shut/slammed/snapped ~1 on/over/around ~3 @WHO/finger+/hand+; over his/her/my/their/baby ~2 head/mouth/nose;
head first; headfirst; face first; face down ~2 water/pool/bath; missed ~3 head/face/eye/eyes/foot/baby ~3
inch*/hair*/millimetre*; inch/inches/millimetres from ~2 face/head/eye/eyes/baby; ran/run/runs/reversed over
my/his/her/our/me/him; lose/losing/lost ~2 sight/vision/consciousness; unresponsive; floppy; lifeless; purple ~1
face/lips; screaming ~1 in; nearly/almost ~2
went/fell/passed/fainted/lost/crashed/broke/choked/fire/flames/through/blind; too many/much ~1
pills/tablets/paracetamol/ibuprofen/aspirin/meds/sleeping/medication/insulin; drank/ate/swallowed/licked/tasted ~3
bleach/cleaner/poison/detergent/chemical*/petrol/antifreeze/magnet*/it ~2 and/$; wheel ~2 came/fell/flew ~1 off;
while ~3 riding/driving/cycling/climbing/carrying/holding/standing/cooking ~9
snapped/broke/collapsed/failed/fell/exploded; came off in ~1 hand/mouth; expired ~4 sick/ill/ate;
insect*/bug*/worm*/maggot* ~2 crawl*; in/to/at/from a and e; wrapped/wrap/tangled/caught/tight*/round/around ~3
my/his/her/@WHO ~1 neck/throat/wrist/finger/fingers/leg/ankle/arm; knock*/put/laid ~4 out cold; knock* ~3 @WHO ~2
out/over/unconscious/down/off; went/go/gone/pulled/dragged ~1 under ~2 water/-; drown*;
hit/struck/caught/knock*/injur*/hurt/burn*/cut/scald* a/an/the/one/another ~1 @WHO;
drop*/fell/fall/thrown/threw/flung/tumbl*/pitch*/sent/came ~4 to/onto/on/into/over/down/against/across the ~1
pavement/ground/floor/concrete/road/stairs/wall/street/tiles/platform/pool/ water/traffic/steps; feel/felt ~2
current/electricity/tingle/tingling/buzz; current ~3 touch*; touch* ~6
shock*/tingl*/jolt*/zap*/current/belt/burn*/electr*; got/gave ~1 me/- a ~1 belt/wallop/bolt/kick off/from/- ~1; live
~1 when/metal/casing/case/chassis; not earthed; no earth; bare ~2 wire/wires; is bare;
lead/cable/wire/cord/insulation ~4 bare/frayed/exposed/chewed/melted/split/live; left ~1 me/him/her/us/with ~2
burn*/scar*/bruise*/gash/cut/rash/mark+/blister*/blind/unable; nasty/deep/bad/huge/massive/big
gash/cut/bruise/burn/wound/bump/lump/scar; burn/scorch mark+; nearly/almost ~3 off $; barely conscious;
mercury/asbestos/ammonia/chlorine/acid/arsenic/cyanide ~4; lead ~1 paint/poisoning;
open/weeping/bleeding/painful/nasty/infected sore/sores/wound/wounds/blister*/cuts; in a/- ~1
cast/plaster/sling/coma/wheelchair/splint/traction/neck_brace; is/was/were/are ~1
infected/bruised/concussed/unresponsive/hypo/lifeless/limp;
fever/diarrh*/cramps/nausea/nauseous/stomach/migraine/headaches/dizziness ~6
ate/eat*/drink*/drank/after/since/from/using/product; keep ~2 down ~4; foam* ~1 at/from/- ~1 the/- ~1 mouth/-; hypo;
hypoglyc*; insulin ~4 fail*/warm/spoil*/stop*; heatstroke; hypothermia; dehydrat*; sunstroke; fractured; dislocated;
sprained; concussed; blinded; disfigured; paralysed; paralyzed; permanent scar*; scarred for life; permanently
blind*; miscarried; resuscitat*; flew/thrown/threw/flung/knocked/blown/hurled me/us/him/her/back/backwards/across
~2; went black; whole thing went; mains tripped; locked/trapped/stuck ~2 inside/in ~3 hours/lift/heat*/car/panic*;
go*/went/taken/take/took/rush*/end*/land*/need*/visit*/trip/sent/see/saw/seen/
call*/rang/ring*/at/in/phone*/drove/driv*/admit*/stay*/had/night/spent/saw/ overnight/require*/hours ~3 @MEDIC;
@MEDIC ~4 say*/said/confirm*/told/stitch*/treat*/bill/bills/pull*/remov*/think*/prescrib*/ diagnos*/came/visit;
medical attention/treatment/emergency/bill/bills/help; in/back/out of hospital; @WHO ~2 in/at ~1 hospital/a&e;
because of/thanks to/after ~5 hospital/stitches/er/surgery; @THING ~5 @BLAZE; @BLAZE ~5 @THING;
set/caught/catch*/on/start*/cause*/put ~3 fire/flames/alight/ablaze; up in flames/smoke;
house/kitchen/flat/apartment/room/garage/curtain*/carpet/sofa/couch/bed/wall/
floor/table/desk/mattress/rug/counter/worktop/shed/car/roof/bedroom/home/building ~5 @BLAZE; @BLAZE ~5
house/kitchen/flat/apartment/room/garage/curtain*/carpet/sofa/couch/bed/wall/
floor/table/mattress/rug/counter/worktop/shed/car/roof/bedroom/building; flames ~3
@THING/shot/came/coming/rose/out/up/everywhere/from/leap*/lick*; smoke/smoking/sparks/fumes/flames ~3
come/coming/came/pour*/billow*/out/everywhere/from/flew/fly*/fill*/rising; smell* ~4
burn*/smoke/gas/smoky/singed/electrical/melting/melted/scorch*/fumes;
burn*/gas/smoky/smokey/burnt/scorched/electrical/chemical ~1 smell/smells/odour/odor/stench; gas ~2 leak*; leak* ~2
gas/acid/fluid/carbon/petrol/fuel; @THING ~4
bang/boom/explo*/detonat*/swollen/swell*/bulg*/puff*/hiss*/balloon*/expand*;
swollen/swelling/bulging/leaking/leaky/exploding/puffy/hissing ~1 battery/batteries/cell/pack/power_bank; too hot to
touch/hold; hot ~3 touch/melt*/burn*/scorch*/singe*; live wire/wires; exposed wire/wires/wiring/cable/cables/live;
bare wire/wires; lost/lose/losing/cost ~2 an/my/his/her/one ~1
eye/sight/vision/finger/fingers/fingertip/toe/tooth/teeth/leg/arm/hearing/baby; lost ~1 consciousness/blood;
burnt/burned/burn smell/smells; not ~1 survive/breathing/moving/responding; @GAVE/crush* ~9
died/dead/survive/killed; nearly/almost ~2 burn*/set/killed/died/lost/electrocut*/drown*/chok*/fire; could have ~3
died/killed/dead/blinded/worse/burn*/lost/choked/injured/hurt/maimed; burned/burnt/burns/burning ~1
down/to/hole/through; fire/safety/choking/suffocation/strangulation/electrocution/trip/shock/death/burn
hazard/risk/trap; death trap; a/real/serious/absolute danger to; is/are/s ~1 dangerous/lethal/unsafe/deadly/toxic;
dangerous/lethal/unsafe ~1 product/item/toy/thing/defect/goods/piece; accident waiting to; @GAVE ~6 @HURT ~3 @BODY;
@GAVE ~8 @MAIM/fell/hospital/crash*/hit/trapp*/head/landed/thrown/floor/fall; @GAVE ~3
under/beneath/on/underneath/while/onto/as/with/over ~3 @WHO/year_old; @GAVE ~2 mid ~3; brakes ~3
fail*/stop*/gave/snapp*/not/went; crash*/fell/fall/flung/thrown/threw/tumbl*/plummet* ~4 into/down/off/out/over/from
~3 bike/scooter/ladder/stairs/road/car/traffic/handlebars/pram/stroller/floor/tree/
wall/chair/bed/stool/highchair/swing/hammock/horse/roof; @SWALLOWED ~5 @SMALLS; @SMALLS ~3
stuck/lodged/wedged/caught ~3 throat/mouth/nose/airway/windpipe/ear; got/get* ~3 stuck ~4
throat/neck/nose/windpipe/head/finger/fingers/arm; in/into ~1 mouth ~3 chok*/gag*/swallow*/dead;
can/could/hardly/barely/cannot/not/struggl*/trouble/difficulty/fight*/stop*/gasp* ~3 breath*; gasp* for;
throat/airway*/tongue/lips/face ~3 clos*/tight*/swell*/swollen/swelled/puff*/seiz*/block*;
broke/break*/came/come/coming ~2 out in; allerg* ~4 attack/reaction/react*/shock/undeclared/label; react*/reaction
~2 to ~6; reaction ~3 skin/face; undeclared/unlisted/hidden ~1 nuts/allergen*/peanut*/dairy/milk/gluten; skin ~4
peel*/com*/fell/raw/fire/red/burn*/blister*/itch*/rash/sting*/crack*/react*; eyes ~3
sting*/burn*/stream*/swollen/swell*/water*; hair ~2 fall*/fell/com*/break*/snapp* ~2 out/off/clumps/handful*;
@FOREIGN ~3 in/inside/into ~1 my/the/our/his/her/your/a/it ~2 @FOOD; @FOREIGN ~4 @SWALLOWED;
made/makes/making/got/get/been/fell/feel/feeling/felt ~3 sick/ill/dizzy/nauseous/faint/lightheaded/unwell/poorly ~2;
sick/ill ~3 after ~4 eat*/drink*/ate/drank/us*; been sick since/all/twice/for; sick all night/day/weekend/over;
upset stomach/tummy; electr* ~2 shock*/jolt*/zap*; tripp*/blew ~2 fuse/breaker/electrics/rcd; recall/recalled ~4
safety/danger*/injur*/fire/kill*; bolted/cut/gash/wound ~3 to the bone
"""
_HARMLESS = """
explo* of colour/color/flavour/flavor/taste/joy;
costume+/toys/book+/novel+/poster+/mug+/shirt+/sticker+/movie/film/lego/
halloween/dvd/wig/game/games/figure/costumes; toy ~1 gun/fire/knife/sword/bomb/hospital/doctor; do you/they ~1
sell/have/stock/carry/make/offer; in stock; is/are/s ~3 it/this/that/they/there ~5
safe/suitable/resistant/proof/ok/okay/hypoallergenic/flammable/toxic/tested/certified ~1 for/to/with/if/in; is/are
~6 safe ~1 for/to/with/if/in; safe ~1 for/to use; how ~4 safe/long/hot/do/many/often/to ~6;
resistant/proof/retardant/guard/alarm+/detector+/extinguisher+/proofing/
repellent/protection/protector/protective/fireproof/flameproof; fire
pit/place/side/stick/tv/truck/engine/fighter/red/tablet/tools/screen/wood/bowl/
opal/emoji/blanket/starter/sale/hose; on fire ~2 sale/deal/deals/price/prices/design;
sale/deal+/price+/prices/design ~2 on fire; @BODY
cream/mask/scrub/lotion/brace/rest/band/strap/wrap/warmer/warmers/towel/cuff/ support/massager/pillow;
headache/laughing/price/prices/costs/wallet/budget/quality/curiosity/suspense; cut/cutting ~3
price/order/cost/time/half/list/down/size/long/board/mat/short; shocked/surprised/amazed/stunned/impressed ~1
by/at/to/how/that/when/with; burned/burnt through; get/gets ~1 a rash from ~1 cheap/nickel/wool/latex;
carton/packaging; drop dead gorgeous; to die for; dying to/of/for; kill* ~2
it/time/deal/heels/look/app/feature/two/birds/ice/for; ship/deliver*/send ~4
hospital/doctor/police/surgery/clinic/vet/fire; works/work/working ~2 at/for/in/with; in hospital
so/and/until/for/this ~6 deliver/send/change/need*/can/leave; my/lower/bad/sore/old back ~2
hurt*/pain*/ache*/issues/problems; easily; conference/convention; melted ~3
heat/transit/shipping/post/sun/chocolate/bit/cheese/little; chocolate/ice/butter/cheese/candle/wax/crayon* ~6
melted; hospital bed/gown/bag/tray/grade/scrubs/corners/wing/reception/ward/sheets; nurse/doctor ~1
uniform/shoes/bag/scrubs/kit/set/watch/who/stethoscope/outfit/gift/appreciation; first aid; burn
cream/gel/rate/time/ointment/proof; burnt orange/sienna/umber/ochre/red; smoke
grey/gray/flavour/flavor/colour/color/machine/glass/tint/blue/effect/white/free; smoked ~1
glass/salmon/paprika/oak/salt/cheese/grey/meat/almonds/ham; smell* ~2 smoke ~2 cigarette/smoker; shock
absorb*/proof/resistant; heart/home ~1 broken; broke/broken/shatter*/crack*/snapp* ~3 in/during/on ~1
transit/shipping/delivery/arrival/post/way/mail; arriv* ~3
broken/shattered/cracked/smashed/damaged/dented/split/chipped/snapped/crushed/ripped/torn;
wife/husband/mom/mum/dad/boss/mother ~2 will/would/is/s/going ~3 kill me; too ~1
big/small/tight/loose/large/long/short/narrow/wide ~3 for/on/at/around/in;
tight/loose/fit/fits/size/sized/sizing/comfy/comfortable/soft/snug ~4; gift/present for; looking for; shopping for;
searching for; recommend a; before/if/in case/worried/afraid/avoid/prevent*/against/never ~4
burn*/hurt*/cut/catch*/injur*/chok*; out of hand; on hand; on the other hand; second hand; by hand; hand made; hand
wash; left hand; right hand; at hand; ankle boot*/length/socks; head/heads up; broke/break/breaks/breaking/warms/in
my heart; arm chair; arms and legs; an arm and a leg; back in/on/to/from/order/pack/cover/pocket/panel/ordered;
get/got/give/send/want/money/paid/call/came/come/sent/go/write ~2 back; fingers crossed; hand/hands
bag/cream/towel*/blender/mixer/held/free/luggage/soap/sanit*/weights/painted/ off/on/stitched; by heart; eye
shadow/liner/catching/cream/mask/drops; face to face; face value; lost face; lip gloss; lip balm
"""

HARM = Lexicon(_FAMILIES, _SIGNS, _HARMLESS, f"{DESPAIR}; {THREATS}")
