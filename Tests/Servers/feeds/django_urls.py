"""The views of the Django server; read by Django once it is set up."""

from django.db import models
from django.urls import path
from rest_framework import generics, pagination, serializers, throttling
from rest_framework_json_api import pagination as jsonapi_pagination
from rest_framework_json_api import renderers as jsonapi_renderers
from rest_framework_json_api import serializers as jsonapi_serializers
from rest_framework_json_api.exceptions import exception_handler as jsonapi_exceptions

from django_feed import CAP


class Item(models.Model):
    title = models.TextField()
    created = models.DateTimeField()
    score = models.FloatField()

    class Meta:
        app_label, db_table, managed = "feed", "items", False


class ItemSerializer(serializers.ModelSerializer):
    class Meta:
        model = Item
        fields = ("id", "title", "created", "score")


class JSONAPIItem(jsonapi_serializers.ModelSerializer):
    class Meta:
        model = Item
        fields = ("title", "created", "score")

    class JSONAPIMeta:
        resource_name = "items"


class Numbers(pagination.PageNumberPagination):
    page_size, page_size_query_param, max_page_size = 20, "page_size", CAP


class Offsets(pagination.LimitOffsetPagination):
    default_limit, max_limit = 20, CAP


class Cursors(pagination.CursorPagination):
    page_size, page_size_query_param, max_page_size, ordering = 20, "page_size", CAP, ("-created", "-id")


class IDCursors(Cursors):
    ordering = "-id"


class ScoreCursors(Cursors):
    ordering = ("-score", "-id")


class JSONAPINumbers(jsonapi_pagination.JsonApiPageNumberPagination):
    page_size, max_page_size = 20, CAP


class JSONAPIOffsets(jsonapi_pagination.JsonApiLimitOffsetPagination):
    default_limit, max_limit = 20, CAP


def view(style, serializer=ItemSerializer, **more):
    members = {
        "queryset": Item.objects.order_by("-created", "-id"), "serializer_class": serializer, "pagination_class": style}
    return type("View", (generics.ListAPIView,), {**members, **more}).as_view()


JSONAPI = {
    "renderer_classes": [jsonapi_renderers.JSONRenderer], "get_exception_handler": lambda self: jsonapi_exceptions}

urlpatterns = [
    path("page/", view(Numbers)),
    path("offset/", view(Offsets)),
    path("cursor/", view(Cursors)),
    path("cursor-id/", view(IDCursors)),
    path("cursor-score/", view(ScoreCursors)),
    path("throttled/", view(Cursors, throttle_classes=[throttling.AnonRateThrottle])),
    path("jsonapi/", view(JSONAPINumbers, JSONAPIItem, **JSONAPI)),
    path("jsonapi-offset/", view(JSONAPIOffsets, JSONAPIItem, **JSONAPI)),
]
