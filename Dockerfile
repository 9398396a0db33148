FROM python:3.11-slim
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN useradd --create-home --uid 10001 desk
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
RUN mkdir -p var && chown desk:desk var
USER desk
EXPOSE 8000
CMD ["sh", "-c", "python manage.py migrate --verbosity 0 && python manage.py load_store orders/demo --if-empty && exec python manage.py rundesk --host 0.0.0.0"]
