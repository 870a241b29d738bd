"""Django REST framework in all its styles, and JSON:API.

`/page/` numbers, `/offset/` limit and offset, `/cursor/` a cursor over a total order, `/cursor-score/` one over a column with
ties, `/throttled/` two requests a minute, `/jsonapi/` and `/jsonapi-offset/`.
"""

import django
from django.conf import settings

import lifetime
import rows

CAP = 100


def serve(options):
    feed = rows.Rows(options.folder, options.rows, time_format="%Y-%m-%d %H:%M:%S")
    settings.configure(
        DEBUG=False, SECRET_KEY="tests", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF="django_urls", USE_TZ=True,
        INSTALLED_APPS=["rest_framework"], MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
        DATABASES={"default": {
            "ENGINE": "django.db.backends.sqlite3", "NAME": feed.path, "CONN_MAX_AGE": 0, "OPTIONS": {"timeout": 10}}},
        CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        REST_FRAMEWORK={
            "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
            "DEFAULT_AUTHENTICATION_CLASSES": [], "DEFAULT_PERMISSION_CLASSES": [], "UNAUTHENTICATED_USER": None,
            "DEFAULT_THROTTLE_RATES": {"anon": "2/min"}})
    django.setup()
    from django.core.wsgi import get_wsgi_application

    app = get_wsgi_application()
    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener), feed.command)
    lifetime.run_wsgi(app, listener)
