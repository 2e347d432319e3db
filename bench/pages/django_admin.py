# SPDX-License-Identifier: Apache-2.0
"""Django's own admin site with some users and groups: PORT DIRECTORY"""
import sys

import django
from django.conf import settings
from django.core.management import call_command

PORT, HOME = sys.argv[1:]


class Everybody:
    """Takes every visitor for the first user."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        from django.contrib.auth.models import User
        request.user = User.objects.get(pk=1)
        return self.get_response(request)


APPS = ['admin', 'auth', 'contenttypes', 'sessions', 'messages',
        'staticfiles']
MIDDLEWARE = ['django.contrib.sessions.middleware.SessionMiddleware',
              'django.middleware.csrf.CsrfViewMiddleware',
              'django.contrib.auth.middleware.AuthenticationMiddleware',
              '__main__.Everybody',
              'django.contrib.messages.middleware.MessageMiddleware']
PROCESSORS = ['template.context_processors.request',
              'contrib.auth.context_processors.auth',
              'contrib.messages.context_processors.messages']

if not settings.configured:
    settings.configure(
        DEBUG=True, SECRET_KEY='bench', ALLOWED_HOSTS=['*'],
        ROOT_URLCONF='__main__', STATIC_URL='/static/', MIDDLEWARE=MIDDLEWARE,
        INSTALLED_APPS=[f'django.contrib.{app}' for app in APPS],
        DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3',
                               'NAME': f'{HOME}/db'}},
        TEMPLATES=[{'BACKEND': 'django.template.backends.django.'
                               'DjangoTemplates', 'APP_DIRS': True,
                    'OPTIONS': {'context_processors': [
                        f'django.{name}' for name in PROCESSORS]}}])
    django.setup()

from django.contrib import admin  # noqa: E402
from django.urls import path  # noqa: E402

urlpatterns = [path('admin/', admin.site.urls)]


def fill():
    from django.contrib.auth.models import Group, User
    User.objects.create_superuser('admin', 'admin@example.org', 'password')
    groups = [Group.objects.create(name=name)
              for name in ('Editors', 'Readers', 'Translators')]
    for number in range(60):
        user = User.objects.create(
            username=f'user{number:02}', first_name='Ada' if number % 2 else
            'Grace', last_name=f'Example {number}', is_staff=number % 5 == 0,
            email=f'user{number:02}@example.org')
        user.groups.add(groups[number % 3])


if __name__ == '__main__':
    call_command('migrate', verbosity=0)
    fill()
    call_command('runserver', f'127.0.0.1:{PORT}', use_reloader=False)
