from django.db import models


class Category(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "name"]
        verbose_name_plural = "categories"

    def __str__(self) -> str:
        return self.name


class Article(models.Model):
    """One question of customers, answered; what it says stands in its versions.

    `published`: the version that customers and the agent see; none while it is a draft or was taken down.
    """

    slug = models.SlugField(max_length=80, unique=True)
    category = models.ForeignKey(Category, models.PROTECT, related_name="articles")
    language = models.CharField(max_length=10, default="en")
    position = models.PositiveSmallIntegerField(default=0)
    published = models.OneToOneField(
        "ArticleVersion", models.PROTECT, null=True, blank=True, related_name="published_as", editable=False
    )
    published_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["position", "slug"]
        permissions = [("publish_article", "Can publish and take down articles")]

    def __str__(self) -> str:
        return self.slug


class ArticleVersion(models.Model):
    """What an article said at one time. Rows are only ever added (triggers refuse the rest): answers cite them."""

    article = models.ForeignKey(Article, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    # Markdown; `{{ policy.… }}` stands for a number of the active policy.
    body = models.TextField()
    # Other words that customers use for the same thing, for search alone.
    keywords = models.CharField(max_length=400, blank=True)
    author = models.CharField(max_length=150)
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["article", "number"], name="helpcenter_one_version_a_number")]

    def __str__(self) -> str:
        return f"{self.article} v{self.number}"


class Edition(models.Model):
    """What is published as a whole, as one number that grows: every process sees by it that its index is old."""

    number = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.number)


class Vote(models.Model):
    """One reader's word on one version; a second word replaces the first."""

    version = models.ForeignKey(ArticleVersion, models.PROTECT, related_name="votes")
    reader = models.CharField(max_length=40)
    helpful = models.BooleanField()
    at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "reader"], name="helpcenter_one_vote_a_reader")]

    def __str__(self) -> str:
        return f"{self.version} {'yes' if self.helpful else 'no'}"


class Question(models.Model):
    """What was searched for on one day, how often, and whether anything answered it: work for an author, if not."""

    class Asker(models.TextChoices):
        READER = "reader"
        AGENT = "agent"

    # Without case, and without what looks like somebody's address or number.
    text = models.CharField(max_length=200)
    asker = models.CharField(max_length=10, choices=Asker)
    day = models.DateField()
    count = models.PositiveIntegerField(default=1)
    # As the last search of the day ended.
    found = models.BooleanField()
    best = models.ForeignKey(ArticleVersion, models.PROTECT, null=True, blank=True, related_name="+")
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "asker", "text"], name="helpcenter_one_question_a_day"),
        ]

    def __str__(self) -> str:
        return self.text
