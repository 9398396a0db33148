"""How people speak who want to hurt themselves or threaten somebody; the families are those of `words_harm`."""

DESPAIR = """
kill/killing/hurt/hurting/harm/harming/hang/hanging/shoot/shooting/cut/cutting/
burning/off/drown/starve/starving/top/end/ending/stab ~1 @MYSELF; end*/take*/taking/took ~1 my ~1 life;
throw/throwing/chuck ~1 myself ~3 off/under/train/bridge/front/window/balcony; jump/jumping/leap ~2
off/from/in/under/out ~2 bridge/roof/building/train/cliff/window/balcony/front/traffic/tube; self
harm*/harming/injur*; selfharm*; unalive; kms; unaliving; end/ending/ended ~2 it/things/everything/life ~1
all/now/tonight/today/for/by/-; end it; end my life; ended my life; ending my life; take my own life; taking my own
life; better off ~3 dead/without/gone/if; better ~2 if ~1 i ~3 dead/gone/born/not/here/exist*/around/died;
world/everyone/everybody/they/family/kids/you/all/people ~4 better off ~1 without me; without me ~4 better;
not/longer/nor/never ~2 want/wish/care/desire to ~1 live/exist/go_on/carry_on $/any/like/in; not/longer/nor/never ~2
want/wish/care/desire to ~1 be ~1 here/alive/around/living $/any/like; not/longer/never ~2 want/wish/care to ~1
wake/go/carry up/on $/any/like/living/again/tomorrow; not want to face ~1 another/tomorrow; not want to wake up;
never want to wake up; never wake up; not wake up; not waking up; not/never ~3 be here ~2
tomorrow/much/any/next/by/when/long/to; want/wants/wanted/wish/ready/going/rather/hoping/prefer ~1 to/i/- ~2
die/dead/vanish/cease; wish i ~3 dead/born/die/disappear/not; wish ~2 not ~1 wake/exist/born; do not/never ~1
deserve to live; no/not/see/what/little/zero ~4 point/reason/purpose/sense ~3
living/life/alive/live/going/anything/carrying/existing/existence/staying/being/ continue/here; point ~3
living/alive/going on/existing/carrying on; nothing ~3 live for; nothing left for/to ~3 live/me; life ~2 is/s ~2 not
worth/over/meaningless/unbearable/pointless; life ~4 not worth living; not worth living; can/could not ~2
go/carry/keep/do/take/cope/live ~1 on/going/this/it/like/with/any ~4 more/anymore/life/living/longer/alive; can not
~1 go/carry on $/like/with/any/living/another; tired/sick/done/had ~2 of/with/enough living/life/existing/being
alive/fighting; given up on life; give up on life; giving up on life; lost the will to live; no will to live; lost
all will; no will left; nobody/no_one/noone/no/one/none ~3 would/will ~2 miss/notice/care ~2
me/if/gone/dead/died/die; if i ~2 die/died/dead/gone/disappear*/exist ~3; goodbye/farewell ~2
note/letter/everyone/world/forever/to; last/final ~2 message/goodbye/note/words/day on; by the time you read this;
rope/noose/razor/pills/tablets/gun/belt/blade/paracetamol/bottle ~3
ready/prepared/here/front/next/hand/waiting/lined; swallow*/take/took/taking/taken/down/neck/neckd/overdos* ~3
all/every/whole/entire/box/bottle/packet/pack/handful/lot/many ~4
pill*/tablet*/meds/medication/paracetamol/ibuprofen/sleeping; overdos*; od on; hurting/harming/cutting/burning
myself; cut/slit/slash/slashed/opened ~2 wrists/veins; want*/need/going/rather to ~1 disappear/vanish ~1
forever/completely/off; disappear/vanish forever; sleep forever; go to sleep and; fall asleep and never; dark
place/thoughts; do/did/doing ~1 something/anything ~1 stupid/drastic/silly/bad/- ~1 to myself/me; last/final
message/goodbye/words ~1 to; this is ~1 goodbye; cope any/with/- ~1 longer/more/living/life; not cope any; can
not/hardly ~1 cope; want ~2 all ~1 to ~1 stop/end/over; stop for good; sleeping pills/tablets; rather ~1 be dead;
rather ~1 not ~1 wake/exist; star*/look* ~2 at ~3 pills/tablets/knife/razor/rope/noose/ledge/bottle; no way out; no
one to turn to; nobody needs me; no reason to carry on; no reason to be here; no reason to go on; do not see ~1
way/future/point/reason; not see a future; no future for me; nothing to live; empty inside; hate myself; loathe
myself; worthless and; burden to/on everyone/everybody/my/them; hopeless ~6 see/way/gone/anything/life/live;
want/wanted ~1 to/- ~1 be gone/dead/over; want/wants ~1 out of ~1 this/my life; nothing matters; make/get/last ~1
it/- through ~1 the/this/to/tonight/another ~1 night/day/week/morning/christmas; last the night; done with ~1
life/living/everything/world/existing; not ~1 here/around/alive/exist ~1 tomorrow/anymore/any/next; what if i ~4
here/exist*/gone/dead/died; end/stop ~1 my/the/this ~1 suffering/pain/misery/agony; plan to ~1 end/kill/die/hurt;
pills/tablets/razor/rope/knife/blade ~3 table/front/hand/hands/lap/drawer/beside/counter; pray/hope/wish ~3 not ~1
wake; hit*/beat*/abus*/threaten*/stalk*/hurt*/chok*/strangl*/track*/follow* me ~1 and/- ~4;
boyfriend/husband/ex/partner/girlfriend/wife/father/stepdad/dad/he/she/someone/neighbour ~1
hits/beats/abuses/threatens/threatened/stalks/stalking/hurts/chokes/controls/ assaulted/attacked/raped ~1 me;
stalker; stalking; abusive ~1 ex/husband/boyfriend/partner/wife/relationship/home/father; domestic violence;
domestic abuse; sexual* assault*; raped; molest*; women s shelter; womens refuge; refuge for; fear/scared/afraid ~2
for my ~1 life/safety; my life ~2 in danger; in danger; afraid of my; scared of my ~1 husband/boyfriend/ex/partner;
jump in front of; walk*/walking/step*/jump*/throw*/lie/lying ~2 in front of ~2
train/car/bus/truck/lorry/tram/traffic; burden ~1 to everyone/everybody/family/kids; i am a burden; just a burden;
thoughts of ~2 dying/ending/death/harming/hurting; want it ~2 over; hate being alive; hate my life; hopeless and ~2;
rather be dead; wish i was dead; not safe ~2 myself; when/once/if/after i ~1 am/m/is/were/was ~1 gone/dead;
written/wrote/left/leaving/writing ~2 note ~1 already/for/to/$; standing/stood/sitting/sat/up ~1 on ~1 the/a ~1
roof/ledge/bridge/edge/cliff/windowsill/tracks/balcony; ledge; train tracks; railway tracks; step*/walk*/jump* ~1
off ~2 platform/kerb/edge/bridge/cliff/roof; can/could not ~3 live/living/life/exist*/carrying ~1
like/this/any/with/without/anymore; think*/thought/consider* ~4 end*/kill*/die/dying/jump*/hang*/overdos* ~1
it/myself/all/off/$; want*/going to ~1 sleep ~2 never/forever/not; sleep and ~2 not/never ~1 wake; not ~1 worth ~1
living/being; worth ~1 living; life ~1 has/have/- ~1 no ~1 meaning/purpose/value/point; i ~1 am ~1
worthless/broken/hopeless/suicidal/nothing $; no ~1 hope left; reason ~4 be/stay/keep/go/remain
alive/here/living/going/breathing; better off ~1 not/six; given up ~1 on ~1 life/living/everything/hope; ready to ~1
go/give/leave ~1 up/for/this ~1 good/world; leave/leaving this world/earth/life; crisis line/hotline; samaritans;
988; going to crash ~3 on purpose; drive/walk/step/walking/stepping/driving ~2 off/into/in ~2
bridge/traffic/sea/train/front/tree/lake/river/ocean/wall
"""
THREATS = """
i/we/going/someone/somebody/will/to/should/might/could ~3 @VIOLENT ~2 @TARGET ~3
@BODY/windows/dead/down/up/out/over; i/we will/would/should/might/could/am/swear/want ~4
kill/murder/shoot/stab/strangle/throttle/punch/slap/torch/bomb/maim/torture/
slaughter/slit/lynch/behead/firebomb/assault/cripple/execute/knife/butcher/
headbutt/deck/batter/bury/clobber/petrol_bomb ~2 @TARGET; going to ~1
kill/murder/shoot/stab/strangle/throttle/punch/torch/bomb/maim/torture/
slaughter/slit/lynch/behead/firebomb/assault/cripple/execute/knife/deck/batter/bury/slap ~2 @TARGET;
beat/bash/kick/smash/batter/hammer/knock/rip/cave/punch/break/blow ~2 you/your/his/her/their/him/them ~3
head/heads/face/faces/teeth/brains/legs/leg/arms/arm/neck/knees/kneecaps/skull/
lights/ribs/jaw/fingers/nose/in/up/pulp/hands; beat ~2 crap/shit/hell/living/daylights ~3 of; wring/snap/break ~3
neck/necks; burn/torch/raze/burning ~2 your/the/this/that/it/whole ~3
down/ground/warehouse/office/store/shop/building/place/depot/headquarters/hq; torch ~1 your/the ~2; set/setting ~2
your/the ~2 fire/alight/ablaze; set fire to your/the ~1
shop/store/office/warehouse/depot/building/place/van/headquarters/hq; set light to; blow/blowing ~3 up/sky ~1
your/the/that/high; smash/throw*/brick/break/drive*/ram/put* ~4 your/shop/store/through ~2
window*/door*/office/front; bomb ~3 in/under/at/for/through/outside ~2
your/office/store/warehouse/building/headquarters; bomb/death threat/threats;
com*/turn*/show*/driv*/rock/bring*/visit*/walk*/arriv*/got/get*/have/has/grab*/ waiting/own/fetch* ~6 @WEAPON;
com*/turn*/show*/driv* ~3 down/over/up/round/around/to/by there/your ~5
hurt/sort/personally/fists/regret/teach/smash/break/wreck/burn/knock/make/drag; com*/driv* ~1 down/over/round there
and; coming for you/your; com*/go*/be/wait*/stand* ~3 outside ~2
your/his/her/their/office/house/home/warehouse/shop/store/depot; not ~2 empty handed;
head/teeth/face/door/ribs/skull/knees ~1 kick*/smash*/bash*/cav*/stov*/punch*/broke* ~1 in/out/-; get*/got/have ~2
head/teeth/face/legs/neck/kneecaps ~1 kick*/smash*/bash*/brok*/cav*/ripp*;
break*/smash*/kick*/rearrang*/punch*/bust* ~2 his/her/your/their ~1
jaw/nose/face/legs/arms/neck/teeth/knees/skull/kneecaps/fingers/bones/head/ribs/ hands/back;
walk*/get*/make*/leave*/come*/escape* ~2 out/away/of ~2 alive; nobody/no/one/none/not ~6 out alive;
blow/blowing/burn/burning/shoot/shooting/bomb/bombing ~1 that/this/the/your/whole ~4 up/down/ground; brick ~2
window/through; set*/sic* ~2 dog/dogs on; deserve*/ought/should/need* ~1 to/- be ~1
shot/hanged/hung/killed/beaten/stabbed/dead/burned/burnt/put_down/drowned/ gassed/lynched/executed/murdered;
fist/boot/bullet/knife/bat/punch/smack/slap/kick/brick ~1 in/to/through/upside/across/round/at ~1
the/your/his/her/their/- ~1 mouth/face/head/teeth/gob/throat/jaw/guts/window/balls/nuts/ribs/chops/eye;
slash*/cut*/slit*/puncture* ~2 tyre+/tire+/throat+/brakes; watch* ~2 you/your/office/store/shop/warehouse/him/them
~1 burn/bleed/die/suffer/beg; burn with you; someone ~1 s/is/will/- ~1 going to ~1 die/bleed/cry/suffer; going to
snap and; i will snap; not see it coming; find out who you are; in your sleep; picking ~2 teeth; teeth ~4 floor;
pay/paying/paid ~1 you/him/her/them/your ~2 a visit; pay ~1 a visit; fear for ~1 his/her/your/their ~1
life/lives/safety; not ~1 safe ~1 from me; you will be ~1 sorry/dead/next; be ~1 sorry $; teach* ~1
you/him/her/them/your ~1 a/- lesson; with my ~1 fists/fist; better watch ~1
himself/herself/yourself/yourselves/themselves/out/your/his/it; watch yourself/yourselves/himself; i ~1
will/would/am/could/might/want/swear ~3 hurt/harm/beat/attack/hit/burn/fight/kick/choke/gut/end/destroy/find ~1
whoever/anyone/someone/somebody/every/the_person/you/him/her/them/everyone; put/hold/take ~1 a match/lighter/torch
to; match to ~1 your/the; i could/will ~1 kill ~1 someone/somebody/you/him/them/him; threaten* ~3
beat/kill/hurt/hit/punch/me/violence/shoot/stab; violence/violent ~3 staff/driver/you/courier; get what ~2 deserve;
waiting for you/him/her ~2 outside/car/home/night/after/at/with; your kids/children/wife/family/mother/mum ~4
safe/school/live/sorry/careful/home/find; i have ~1 guns/weapons; have ~2 guns/weapons; beat ~1 me up; beaten up;
punch up; fist fight; get physical; gets physical; knock* ~2 out/teeth; throw hands; throw a punch; swing at; smack
~2 one; clock ~2 one; make ~1 you/him/her/them ~1 pay $/with/dearly; kneecap*; throat ~1 slit; sleep well tonight;
got your/his/her address; know/knows what ~1 you/he/your ~3 look/drive/car; hurt/hurting ~1
someone/somebody/people/you/him/your/them; someone/somebody/people/you/they/he/driver ~4
going/will/gonna/might/could ~2 get/be/end ~1 hurt/killed/shot/dead/stabbed/bleed/punched/injured/harmed;
put/putting/end/send* ~4 in hospital/morgue/grave/ground/wheelchair/coffin/casket/icu/in ~1
hospital/grave/coffin/morgue/ground; in the hospital next; i/we ~2 know/found/find/got/have ~2 where/your ~2
live/lives/home/sleep/work/kids/family/address; find out where you/he/she/they ~1; hope/better ~4 never ~1
find/see/meet ~2 you/where/your; hunt*/track*/find*/follow* ~1 you/him/her/them/your ~1 down/all/home/and;
watch/watching/look ~1 your ~1 back/backs/shoulder/step; sleep with one eye; eye/eyes for an/a eye; you/he/she/they
~2 will/are/is/going ~3 regret/bleed/dead/die/suffer/pay/sorry/burn ~1; you ~1 are/re dead; dead man; dead meat;
dead men; your days are numbered; live to regret; blood on your hands; spill* blood; bloodbath; body bag; body bags;
your/his/her blood; hope ~3 you/your/family/all ~4 die/dies/cancer/dead/rot/burn*/suffer/crash/choke; drop dead $;
kill yourself; kys; go die; die in a fire; deserve to die; run ~1 him/her/them/you/driver ~1 over/down; shoot ~2
up/dead/place; go postal; shooting spree; mass shooting; school shooter; make/making ~2 you/him/them/her ~3
suffer/bleed/scream/sorry/pay with; take ~2 you/him/them/someone ~1 out ~2 gun/back/for/permanently; baseball bat;
loaded gun; loaded weapon; pull the trigger; put a bullet; bullet in/for/with
"""
