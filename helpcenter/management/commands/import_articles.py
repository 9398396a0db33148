"""`manage.py import_articles DIR`: articles from Markdown files with front matter."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from helpcenter.interchange import ArticleUnreadable, import_folder
from helpcenter.models import Article
from helpcenter.operations import NotAnArticle
from policy.placeholders import UnknownNumber


class Command(BaseCommand):
    help = "Store and publish the articles of a folder; what says the same already is left alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--if-empty", action="store_true", help="only where there is no article yet")

    def handle(self, *args: Any, folder: Path, if_empty: bool, **options: Any) -> None:
        if if_empty and Article.objects.exists():
            self.stdout.write("the help center has articles already")
            return
        try:
            changed = import_folder(folder, author="command line")
        except (ArticleUnreadable, NotAnArticle, UnknownNumber) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{changed} articles changed, {Article.objects.count()} in all")
