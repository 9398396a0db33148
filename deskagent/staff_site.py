from django.contrib import admin


class StaffSite(admin.AdminSite):
    """The staff console: Django's own admin under the desk's name."""

    site_header = "DeskAgent"
    site_title = "DeskAgent console"
    index_title = "Support desk"
