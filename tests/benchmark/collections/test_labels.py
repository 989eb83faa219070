"""Labels for classification, in small files of the published shapes."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import assay
from assay.core.errors import FormatError


def test_labels_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("E11 2286 1\nECAT 2286 1\nM11 2287 1\n")
    assert assay.read_labels(path).rows() == [("2286", "E11"), ("2286", "ECAT"), ("2287", "M11")]
    path.write_bytes(struct.pack(">II", 0x0801, 3) + bytes([5, 0, 4]))
    assert assay.read_labels(path).rows() == [("0", "5"), ("1", "0"), ("2", "4")]
    path.write_text("ILSVRC2012_val_00000001.JPEG 65\nILSVRC2012_val_00000002.JPEG 970\n")
    assert assay.read_labels(path)["label"].to_list() == ["65", "970"]
    path.write_text("490\n361\n171\n")
    assert assay.read_labels(path).rows()[1] == ("1", "361")
    for kind, name in (("sci.space", "59848"), ("rec.autos", "101551")):
        (tmp_path / "news" / kind).mkdir(parents=True)
        (tmp_path / "news" / kind / name).write_text("Subject: x\n")
    assert assay.read_labels(tmp_path / "news").rows() == [
        ("rec.autos/101551", "rec.autos"),
        ("sci.space/59848", "sci.space"),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (struct.pack(">II", 0x0801, 3) + b"\1", "3 labels are announced, but there are 1"),
        (struct.pack(">IIII", 0x0803, 1, 28, 28), "these are images"),
        (b"a 1\n" * 120 + b"a 1 2\n", "labels:121: expected 2 fields, found 3"),
        (b"E11 2286 1\nECAT 2286\n", "labels:2: expected 3 fields, found 2"),
        (b"image,label,source\na,x,web\n", "labels:1: there are 3 columns"),
        (b"caf\xe9.jpg 1\n", "labels:1: byte 0xe9 is not utf-8 text"),
    ],
)
def test_broken_labels(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said):
        assay.read_labels(path)


def test_headers_boxes_and_hidden_files_are_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("item,label\na,x\nb,y\n")
    assert assay.read_labels(path).rows() == [("a", "x"), ("b", "y")]
    path.write_text("ImageId,PredictionString\nval_1,n03995372 85 1 499 272\nval_2,n1 1 2 3 4\n")
    assert assay.read_labels(path)["label"].to_list() == ["n03995372", "n1"]
    (tmp_path / "news" / "sci.space").mkdir(parents=True)
    for name in ("59848", ".DS_Store"):
        (tmp_path / "news" / "sci.space" / name).write_text("x\n")
    assert assay.read_labels(tmp_path / "news").rows() == [("sci.space/59848", "sci.space")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("item,label\na,x\nb,y\na,z\n", "labels:4: item a has a second label"),
        (".I 26151\n.W\ntower\n", "labels:1: this is not a list of labels"),
        ('{"air_freshener": "Air freshener"}\n', "labels:1: this is not a list of labels"),
    ],
)
def test_other_files_are_not_taken_for_labels(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(content)
    with pytest.raises(FormatError, match=said):
        assay.read_labels(path)


def test_commas_in_quotes_spaces_in_labels_and_other_encodings(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text('"image","label"\r\n"a, b.jpg","cat"\r\n"c.jpg","say ""x"""')
    assert assay.read_labels(path).rows() == [("a, b.jpg", "cat"), ("c.jpg", 'say "x"')]
    path.write_text("1.png air_freshener\n2.png alarm clock\n")
    assert assay.read_labels(path).rows() == [("1.png", "air_freshener"), ("2.png", "alarm clock")]
    path.write_text("tench\ngreat white shark\n")
    assert assay.read_labels(path).rows() == [("0", "tench"), ("1", "great white shark")]
    path.write_bytes("café.jpg 1\n".encode("latin-1"))
    assert assay.read_labels(path, encoding="latin-1").rows() == [("café.jpg", "1")]
    path.write_text("a,b\nc," + "x" * 140_000)
    with pytest.raises(FormatError, match=r"labels\.csv:2: this line is too long for an item"):
        assay.read_labels(path)
