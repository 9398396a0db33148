# One image for every process. By itself it runs the embedded profile; docker-compose.yml runs the production profile.
FROM python:3.11.14-slim-bookworm
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN useradd --create-home --uid 10001 desk
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
RUN mkdir -p var && chown desk:desk var
USER desk
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["sh", "-c", "python manage.py migrate --verbosity 0 && python manage.py load_store orders/demo --if-empty && exec python manage.py rundesk --host 0.0.0.0"]
