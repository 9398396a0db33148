"""Articles as Markdown files with front matter, in and out."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from helpcenter.models import Article, Category
from helpcenter.operations import Draft, get_or_create_article, publish, write

MARK = "---"
SLUG = "^[a-z0-9]+(-[a-z0-9]+)*$"


class ArticleUnreadable(Exception):
    """A file is no article, or cannot be read; nothing of the folder was stored. The message names the file."""


class FrontMatter(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = Field(min_length=1, max_length=120)
    category: str = Field(pattern=SLUG, max_length=60)
    category_name: str = Field(default="", max_length=80)
    category_position: int = Field(default=0, ge=0, le=1_000)
    position: int = Field(default=0, ge=0, le=1_000)
    language: str = Field(default="en", pattern="^[a-z]{2}(-[A-Z]{2})?$")
    keywords: str = Field(default="", max_length=400)
    draft: bool = False


@dataclass(frozen=True, kw_only=True)
class File:
    slug: str
    front: FrontMatter
    body: str


def read_folder(folder: Path) -> list[File]:
    """Every `*.md` of the folder, by name. Raises `ArticleUnreadable`."""
    if not folder.is_dir():
        raise ArticleUnreadable(f"{folder} is no folder")
    return [read_file(path) for path in sorted(folder.glob("*.md"))]


def read_file(path: Path) -> File:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ArticleUnreadable(f"{path.name} cannot be read: {error}") from error
    head, marked, body = text.removeprefix(MARK + "\n").partition(f"\n{MARK}\n")
    if not text.startswith(MARK + "\n") or not marked:
        raise ArticleUnreadable(f"{path.name} has no front matter between two lines of {MARK}")
    try:
        front = FrontMatter.model_validate(yaml.safe_load(head))
    except (yaml.YAMLError, ValidationError) as error:
        raise ArticleUnreadable(f"{path.name}: {error}") from error
    return File(slug=path.stem, front=front, body=body.strip() + "\n")


def import_folder(folder: Path, *, author: str) -> int:
    """Store and publish what the files say; an article that says the same already is left alone. How many changed."""
    files = read_folder(folder)
    with transaction.atomic():
        return sum(_store(file, author) for file in files)


def _store(file: File, author: str) -> bool:
    front = file.front
    values = {"name": front.category_name, "position": front.category_position}
    if front.category_name:
        Category.objects.update_or_create(slug=front.category, defaults=values)
    article = get_or_create_article(
        slug=file.slug, category=front.category, language=front.language, position=front.position
    )
    newest = article.versions.first()
    told = (front.title, file.body, front.keywords)
    if newest is not None and (newest.title, newest.body, newest.keywords) == told:
        return False
    write(article=article, draft=Draft(title=front.title, body=file.body, keywords=front.keywords), author=author)
    if not front.draft:
        publish(article=article, author=author)
    return True


def export_folder(folder: Path) -> int:
    """Write the newest version of each article as one file; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    articles = Article.objects.select_related("category", "published")
    written = [export_file(article, folder) for article in articles]
    return sum(written)


def export_file(article: Article, folder: Path) -> bool:
    newest = article.versions.first()
    if newest is None:
        return False
    front: dict[str, Any] = {
        "title": newest.title,
        "category": article.category.slug,
        "category_name": article.category.name,
        "category_position": article.category.position,
        "position": article.position,
        "language": article.language,
        "keywords": newest.keywords,
        "draft": article.published_id != newest.pk,
    }
    head = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=1_000)
    (folder / f"{article.slug}.md").write_text(f"{MARK}\n{head}{MARK}\n\n{newest.body}", encoding="utf-8")
    return True
