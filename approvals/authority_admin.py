"""The amount limits of groups in the console."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from approvals import operations
from approvals.models import Authority
from policy.money import spoken, to_decimal, to_minor


class AuthorityForm(forms.ModelForm[Authority]):
    limit = forms.DecimalField(
        min_value=0, max_value=10_000_000, decimal_places=2, help_text="Members may approve up to this, included."
    )

    class Meta:
        model = Authority
        fields = ["group", "limit", "currency"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial["limit"] = to_decimal(self.instance.most)


@admin.register(Authority)
class AuthorityAdmin(admin.ModelAdmin[Authority]):
    """Every change goes through the operation that records it."""

    form = AuthorityForm
    list_display = ["group", "limit"]

    @admin.display(ordering="most")
    def limit(self, row: Authority) -> str:
        return spoken(row.most, row.currency)

    def get_readonly_fields(self, request: HttpRequest, obj: Authority | None = None) -> list[str]:
        # The limit of another group is another row.
        return ["group"] if obj else []

    def save_model(self, request: HttpRequest, obj: Authority, form: Any, change: bool) -> None:
        made = operations.set_authority(
            group=obj.group,
            most=to_minor(form.cleaned_data["limit"]),
            currency=obj.currency,
            by=cast(User, request.user),
        )
        obj.pk, obj.most = made.pk, made.most

    def delete_model(self, request: HttpRequest, obj: Authority) -> None:
        operations.remove_authority(authority=obj, by=cast(User, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Authority]) -> None:
        for authority in queryset:
            self.delete_model(request, authority)
