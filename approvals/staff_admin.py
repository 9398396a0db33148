"""Members of the staff and their roles in the console: Django's own pages, and an entry for whatever they change."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest

from approvals import operations

admin.site.unregister([Group, User])


class Recorded:
    """Records what a saved form changed of somebody's rights, in the form's own transaction."""

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        # Before the first row is written, while the database still has what was.
        form.held = operations.hold(form.instance) if change else operations.Holding()
        return cast(Any, super()).save_form(request, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        cast(Any, super()).save_related(request, form, formsets, change)
        operations.record_holding(row=form.instance, before=form.held, by=_staff(request))


@admin.register(User)
class MemberAdmin(Recorded, UserAdmin[User]):
    list_display = ["username", "email", "roles", "is_active", "is_superuser"]

    @admin.display
    def roles(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all())

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        operations.remove_member(user=obj, by=_staff(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            self.delete_model(request, user)


@admin.register(Group)
class RoleAdmin(Recorded, GroupAdmin):
    def delete_model(self, request: HttpRequest, obj: Group) -> None:
        operations.remove_group(group=obj, by=_staff(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Group]) -> None:
        for group in queryset:
            self.delete_model(request, group)


def _staff(request: HttpRequest) -> User:
    # `admin_view` let only signed-in staff through.
    return cast(User, request.user)
