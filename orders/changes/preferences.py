from orders.changes.plans import LineText, Plan, Subject
from orders.models import Preference
from policy.actions import UpdatePreference

IN_WORDS = {
    "newsletter": "The newsletter",
    "delivery_updates": "Messages about deliveries",
    "review_requests": "Requests for reviews",
}


def plan_preference(action: UpdatePreference, subject: Subject) -> Plan:
    """One wish from a closed list; saying it twice leaves it as it is."""
    about = {"customer": subject.customer, "name": action.preference}
    row = Preference.objects.filter(**about).first() or Preference(**about)
    return Plan(
        subject=subject,
        title="Change a message preference",
        lines=(LineText(label=IN_WORDS[action.preference], detail=action.value),),
        total=0,
        writes=((row, {"value": action.value}),),
        answer={"preference": action.preference, "value": action.value},
    )
