"""Replies written before anybody looked at how the grammar reads them: five cards, what people type to each.

The even lines of a list were looked at when the grammar was widened, the odd ones (counted from 0) only after they
had been measured. The last three cards came later still. All are known now: a new measurement needs new replies.
"""

CANCEL = "Cancel order #W5918442? The whole order: 2 items. $122.50 goes back to your gift card within 24 hours."

CANCEL_YES = """
Yes, cancel it.
yes cancel the order please
Please cancel it, thank you.
Correct, please cancel the whole order.
yep go ahead and cancel
Cancel it please.
Go ahead, I don't need it anymore.
Yes, I want to cancel it.
I'd like that, yes.
yes thats what i want
Yes, I would like you to cancel the order.
That is exactly what I want, please do it.
By all means, cancel it.
Sure, cancel away.
Yes I'm sure.
I am sure, please proceed with the cancellation.
Yes, refund it to my gift card.
The gift card is fine, go ahead.
Gift card works. Please go ahead.
ye
yess please
Yes, all of it.
Yes, both items please.
Affirmative.
Affirmative, cancel the order.
Definitely, please cancel.
100% yes
Yes, cancel order #W5918442.
yes, that's the one
You got it, cancel it.
Yes, that sounds great. Thanks for your help!
Do so, please.
Yes please, as soon as possible.
That would be wonderful, yes.
OK, please go ahead with cancelling it.
Yes, I'd appreciate that.
"""

CANCEL_NOT = """
Actually, keep the order.
Cancel only the lamp.
Yes, but refund my credit card.
Can I still change my mind later?
yes... wait, no
Do I get all of it back?
Not yet.
Hold off on that.
Please don't cancel it.
Yes, and cancel #W6120933 as well.
Cancel that request, I want to keep it.
I guess so?
Only if I get the money today.
Why the gift card?
Sure, why not, if there's no fee.
Yes, once my replacement has arrived.
Never mind.
Let me think about it.
hmm
Yes to the refund, no to the cancellation.
I already cancelled it.
yes I understand, but no
You people are unbelievable.
No need to cancel, thanks.
How long will it take? Otherwise fine.
Wrong order.
"""

RETURN = (
    "Return from order #W6120933? Mechanical Keyboard and Desk Lamp. $214.30 goes back to your PayPal account once the "
    "items arrive."
)

RETURN_YES = """
Yes, return both of them.
yes, i want to return them
Right, go ahead with the return.
Yes, please start the return.
Sounds right, thanks.
Sounds right to me, please go on.
That looks right, yes.
Everything seems to be in order, please proceed.
Yes, return the keyboard and the lamp.
PayPal is perfect, yes.
Yes, paypal please
That works.
That works for me, go right ahead.
yes that will do
Yup, all good.
yup, return it all
Okay yes.
ok yes do it
Yes indeed.
Indeed, please do.
Please do.
Please do so.
Please go on and return them.
Yes, let's return those.
Fine by me, go ahead.
That's fine by me, yes.
Yes of course, thanks!
certainly, go ahead
Why yes, please.
Yes yes yes
I accept.
I accept these terms, please go ahead.
All right, do that.
Yeah, go ahead and process the return.
Yes, and thank you very much for sorting this out.
Great, yes, let's do it!
"""

RETURN_NOT = """
Just the keyboard.
Yes, but only the lamp.
Do I have to pay for shipping?
Could it go to my credit card instead?
No thanks.
Yes if the label is free
I'd rather exchange them.
Make that an exchange.
Not the lamp.
I have not decided yet.
Yes, and the mouse too.
Returns are such a pain.
That's wrong.
That doesn't look right.
Is it right?
I want to return them but not now.
yes, tomorrow
Hmm, PayPal? I never use PayPal.
Say yes for me?
What happens if I say yes?
I'd say yes if you paid the postage.
nope
Nah, keep going as before.
Stop.
please wait
My wife said yes.
"""

EXCHANGE = (
    "Exchange in order #W4402817? Water Bottle 500ml, black, becomes Water Bottle 1000ml, blue. You pay $3.20 more "
    "with your credit card."
)

EXCHANGE_YES = """
Yes, exchange it.
Yes, swap it please.
yes the blue one
Yes, the blue 1000ml bottle please.
Yes, charge my credit card.
Yes, you can charge the $3.20 to my card.
I'm good with that, go ahead.
I'm ok with paying the difference. Please proceed.
Go for it!
Let's go for it.
Perfect, please go for it.
that's it, yes
That is it. Please proceed.
Yes, you have it right.
You have that right.
You've got that right, yes.
Everything is correct, please make the exchange.
Yes, make the exchange.
Make it so.
Please make the change.
Yep that's what I'm after
Yes, this is what I wanted.
Exactly, thanks.
exactly right
Precisely.
Spot on, go ahead.
I approve the exchange.
Approved.
Confirmed, thanks!
Confirm
i confirm the exchange
Agreed, go ahead.
Okay, I agree.
yes, that'd be great
Yeah that would be perfect
Yes, let's proceed with that please.
"""

EXCHANGE_NOT = """
The red one, please.
Yes, but in green.
yes the black one
Yes, 750ml.
Charge my gift card.
Yes, use my PayPal.
Is blue the same as navy?
That's too expensive.
I won't pay more.
Yes, if it costs nothing.
Does that include tax?
Confirm what?
I can't confirm that.
I don't agree.
Not exactly.
That's not it.
Almost right.
Nearly, the size is wrong.
yes for two of them
Yes, 3 bottles.
Forget it.
Yes? No? I don't know.
Approved by whom?
You decide.
whatever
Maybe, let me check with my husband.
"""

ADDRESS = "Change the delivery address of order #W8810356? New address: 14 Birch Lane, Apt 3, Portland, OR 97205, USA."

ADDRESS_YES = """
Yes, that is my address.
Yes, that's the right address.
yes thats the correct adress
That is the correct address, please go ahead.
The address is correct.
The address is right, thanks.
Yes, 14 Birch Lane is right.
Yes, send it to Portland.
yes, send it there please
Yes, please update it.
Please update the address.
Yes, please change the address.
Update it please
change it please
Yes, I moved there.
That all checks out, go ahead.
It all looks good.
It looks good to me, thank you.
looks good
Looks great, please proceed.
lgtm
Yes, that is accurate.
That's accurate.
All the info is accurate, go ahead please.
The details are right.
those details are correct
Yes, the information is correct.
True.
Yes, true.
Yes. That's all.
yes, that is everything
Yes, nothing else to change.
YES!!
YES PLEASE GO AHEAD
sure thing
Sure thing, please update that for me.
"""

ADDRESS_NOT = """
It's Apt 4.
Yes, Apt 5.
Yes, 41 Birch Lane.
The zip is 97206.
Yes, send it to Seattle.
That was my old address.
Where does it say that?
Is that the new one?
The city is right but the street isn't.
Almost, it's Birch Avenue.
Yes, and change the name to Dana.
Can you also update my account?
Incorrect.
Not correct.
That's not correct, please check.
Yes, unless it has shipped.
I moved again.
I can pick it up myself.
No, it's all good as it was.
Don't update anything.
Yes, assuming it arrives Friday.
yes, call me first
Yes, leave it with the neighbour.
Sorry, what?
Never said that.
Yes you are a robot.
"""

PAYMENT = "Pay order #W9468575 another way? $86.40 moves from your credit card to your PayPal account."

PAYMENT_YES = """
Yes, switch it to PayPal.
Yes, use PayPal.
Use PayPal please, yes.
yes move it to my paypal
Yes, that's what I asked for.
Yes, as I said, please do it.
That's what I need, go ahead.
Yes, that suits me.
That suits me fine.
I have no objections, please proceed.
No objections here, go ahead.
No problem, go ahead.
No worries, please go ahead.
Works for me.
works for me, thanks
It works for me.
yes that's alright
That's alright with me.
It's a yes from me.
That's a yes.
My answer is yes.
I say yes.
You bet.
You bet, go ahead.
Absolutly
yes pls
plz do
yeah pls go ahead
Yea sure
yeah sure, go on
Ok, sure, do it.
Hi, yes please go ahead.
Yes sir.
Yes ma'am, thank you.
Yes, go ahead and make that change for me. Thanks!
yes plz proceed
"""

PAYMENT_NOT = """
Yes, but half of it.
Use my gift card.
Yes, use the gift card.
Which PayPal account?
Why would I?
Is there a problem?
There is a problem with my PayPal.
Yes there is a problem.
Yes, I have a question.
I have objections.
Not a yes yet.
If you say yes, fine.
My answer is no.
It's a no from me.
That doesn't work.
That doesn't work for me, sorry.
No problem at all, I'll keep the card.
No worries, leave it.
Please leave it as it is.
You can't.
You wish.
Did I say yes?
I didn't say yes.
Someone else asked for that, yes.
Yes, $68.40.
yes and then cancel it
"""


def split(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.splitlines() if line.strip())


CARDS = (
    (CANCEL, split(CANCEL_YES), split(CANCEL_NOT)),
    (RETURN, split(RETURN_YES), split(RETURN_NOT)),
    (EXCHANGE, split(EXCHANGE_YES), split(EXCHANGE_NOT)),
    (ADDRESS, split(ADDRESS_YES), split(ADDRESS_NOT)),
    (PAYMENT, split(PAYMENT_YES), split(PAYMENT_NOT)),
)

# Written after the first widening, to cards as code writes them; none of these is in the count above.

LATER_CANCEL = (
    "Cancel order #W4410087? Oak Desk Lamp oak, warm 40.00; Wool Rug 98.50. You get back $138.50 to gift card."
)

LATER_CANCEL_YES = """
Oh yes please, thank you dear.
Yes. Cancel the lot.
yes go on, cancel it
that is what i asked, yes please proceed
Good afternoon, yes, please cancel this order. Kind regards
yes cancel everything pls
Yeah sounds fair, do it
ok perfect, please proceed with it
Yes I agree with cancel
yes and refund my gift card thanks
Yes, please. Sorry for the trouble.
Yep. Thanks!
I do want to cancel, yes
Yes, do that right away please
go ahead and refund me
Correct, I want the order cancelled.
Yes. I confirm the cancellation.
sure go ahead, thx
Alright then, go ahead.
Confirmed from my side
All good, cancel it
Yes, that's the right order.
Yes, cancel both
"""

LATER_CANCEL_NOT = """
yes but can you keep the rug
Cancel the rug, keep the lamp
I want to cancel something else
cancel this chat
what about the shipping cost
only the lamp please
yes, later today
Yes, but to my bank account
I was told it shipped already
cancel it only if it has not shipped
thanks but no
do not refund to gift card
can I get cash instead
yes unless it is too late
Is it the whole order or one
"""

LATER_RETURN = (
    "Return 1 item of order #W2200456? Espresso Machine 9 bars, manual 214.30. You get back $214.30 to PayPal."
)

LATER_RETURN_YES = """
yes please return it
Yes I'd like to return the espresso machine
Yes, it broke, please return it
please proceed with return
Yes, send me the label please
Okay, yes, let's return it.
yes to paypal is fine
Yes, PayPal is good
That is right, paypal
Yes, I will send it back
I agree to return it
OK! Go ahead :)
yes I want my money back
yes that amount is right
Yes thats the item
yes absolutely, thank you
Please process the return, yes
Perfect. Yes.
Please do, thank you
yes, the refund to paypal is ok
"""

LATER_RETURN_NOT = """
I want a new one instead
no I will keep it
yes when the new one comes
Exchange it please
refund to my card not paypal
yes but who pays the postage
return the grinder as well
It was 240 not 214
I am not returning it
later
"""

LATER_ADDRESS = (
    "Send order #W4410087 to another address? New address 9 Mill Lane, Leeds; Address so far "
    "3 High Street, York. You get back $0.00 to 9 Mill Lane, Leeds."
)

LATER_ADDRESS_YES = """
Yes, that's my new address
yes, send it there
Yes please, send it to the new address
yes the new address is right
That's the one, yes please
Yes, Mill Lane
yes 9 Mill Lane Leeds
Yes, please use the new address
Looks correct, go ahead
Yes, we moved
yes update it please
Correct address, thank you
Yes, ship it to the new address.
all correct pls proceed
Yes, that's where I live now
You got it right. Go ahead.
Great, please change it, yes
"""

LATER_ADDRESS_NOT = """
Yes, to the old address
no, 3 High Street is right
yes, York
Yes, 8 Mill Lane
keep the old one
yes but add my name
It is Mill Road
wrong address
do both addresses
send half there
"""

LATER_CARDS = (
    (LATER_CANCEL, split(LATER_CANCEL_YES), split(LATER_CANCEL_NOT)),
    (LATER_RETURN, split(LATER_RETURN_YES), split(LATER_RETURN_NOT)),
    (LATER_ADDRESS, split(LATER_ADDRESS_YES), split(LATER_ADDRESS_NOT)),
)
