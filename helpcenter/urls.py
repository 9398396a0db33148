"""The public addresses of the help center, for whoever wires it into a site."""

from django.contrib.sitemaps.views import sitemap
from django.urls import URLPattern, path

from helpcenter import views

app_name = "helpcenter"


def list_urls(*, has_room: views.HasRoom) -> list[URLPattern]:
    """`has_room` counts a request of a stranger, and says whether a row of theirs may still be kept."""
    return [
        path("", views.show_index, name="index"),
        path("search/", views.show_search, {"has_room": has_room}, name="search"),
        path("sitemap.xml", sitemap, {"sitemaps": {"articles": views.ArticleSitemap}}, name="sitemap"),
        path("category/<slug:slug>/", views.show_category, name="category"),
        path("<slug:slug>/", views.show_article, name="article"),
        path("<slug:slug>/helpful/", views.take_vote, {"has_room": has_room}, name="helpful"),
    ]
