"""The FastAPI application: the routes that the pages declare, and the static files."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from typing import Annotated, Any

from assay.core.errors import AssayError, MissingExtra

try:
    import argon2  # noqa: F401 (passwords need it; better now than at the first sign-in)
    import python_multipart  # noqa: F401
    from fastapi import Depends, FastAPI
except ModuleNotFoundError as missing:
    raise MissingExtra("FastAPI", "web") from missing
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from assay.version import VERSION
from assay.web import pages as page_modules
from assay.web.guard import Guard
from assay.web.visit import PAGES, Page, Visit, read_visit
from assay.web.web_settings import WebSettings

STATIC = {
    "app.css": "text/css",
    "judge.js": "text/javascript",
    "prefer.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


def load_pages() -> None:
    """Import the modules of pages, which declares their routes."""
    for module in pkgutil.iter_modules(page_modules.__path__):
        importlib.import_module(f"{page_modules.__name__}.{module.name}")


def create_application(settings: WebSettings) -> FastAPI:
    """Return the application of a campaign."""
    load_pages()
    app = FastAPI(
        title="Assay",
        version=VERSION,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.settings = settings
    for each in PAGES:
        app.add_api_route(
            each.path,
            _endpoint(each),
            methods=[each.method],
            name=f"{each.method} {each.path}",
            summary=(each.handler.__doc__ or "").splitlines()[0],
            response_class=Response,
            openapi_extra=_described(each),
        )
    for name, kind in STATIC.items():
        content = files("assay.web").joinpath("static", name).read_bytes()
        app.add_api_route(
            f"/static/{name}", _static(content, kind), methods=["GET"], include_in_schema=False
        )
    icon = files("assay.web").joinpath("static", "icon.svg").read_bytes()
    app.add_api_route("/favicon.ico", _static(icon, STATIC["icon.svg"]), include_in_schema=False)
    app.add_exception_handler(404, _not_found)
    app.add_exception_handler(405, _not_found)
    app.add_middleware(Guard, settings=settings)
    return app


def _endpoint(wanted: Page) -> Callable[[Visit], Response]:
    def serve(visit: Annotated[Visit, Depends(read_visit)]) -> Response:
        """Return the page that the visit asks for."""
        return visit.serve(wanted)

    return serve


def _described(wanted: Page) -> dict[str, Any]:
    """Return the parameters of the path, and the operation of the permission table."""
    names = re.findall(r"{(\w+)", wanted.path)
    text = {"type": "string"}
    parameters = [{"name": each, "in": "path", "required": True, "schema": text} for each in names]
    return {"x-operation": wanted.may, **({"parameters": parameters} if parameters else {})}


def _static(content: bytes, kind: str) -> Callable[[], Response]:
    def serve() -> Response:
        """Return the file, to be kept by browsers for five minutes."""
        headers = {"Cache-Control": "public, max-age=300"}
        return Response(content, media_type=kind, headers=headers)

    return serve


def _not_found(request: Request, failure: Exception) -> Response:
    code = getattr(failure, "status_code", 404)
    message = "There is no such page." if code == 404 else "This address does not take that method."
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, code)
    visit = Visit(request, request.app.state.settings, FormData(), {})
    with suppress(AssayError):  # the page is the same without a menu
        visit.identify()
    return visit.fail(code, message)
