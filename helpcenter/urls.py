from django.contrib.sitemaps.views import sitemap
from django.urls import path

from helpcenter import views

app_name = "helpcenter"
urlpatterns = [
    path("", views.show_index, name="index"),
    path("search/", views.show_search, name="search"),
    path("sitemap.xml", sitemap, {"sitemaps": {"articles": views.ArticleSitemap}}, name="sitemap"),
    path("category/<slug:slug>/", views.show_category, name="category"),
    path("<slug:slug>/", views.show_article, name="article"),
    path("<slug:slug>/helpful/", views.take_vote, name="helpful"),
]
