"""The laptop's own certificate, made once: with it phones come encrypted (``--guests tls``)."""

from __future__ import annotations

import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from lanplay import files
from lanplay.errors import Fault, Mistake
from lanplay.extras import installing, missing

FILE: Final = "guests.pem"
DAYS: Final = 800
"""How long it is good: browsers take none for longer than 825 days."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What encrypts, and the fingerprint by which a careful guest knows the laptop."""

    context: ssl.SSLContext
    fingerprint: str


def certificate(folder: Path) -> Certificate:
    """Return the certificate of this installation, made anew if there is none that is good.

    ``Mistake`` where it cannot be kept, or made.
    """
    if lacking := missing("tls"):
        raise Mistake(Fault.NO_TLS, how=installing(lacking))
    path = folder / FILE
    with suppress(OSError, ValueError):
        if (kept := _loaded(path)) is not None:
            return kept
    try:
        files.replace(path, _made())
        made = _loaded(path)
    except OSError as error:
        raise Mistake(Fault.NO_CERTIFICATE, path=str(path), why=error.strerror or "") from error
    assert made is not None
    return made


def _loaded(path: Path) -> Certificate | None:
    """Return the certificate in a file; ``None`` while it is not good, and once it is no longer."""
    from cryptography import x509

    found = x509.load_pem_x509_certificate(path.read_bytes())
    now = datetime.now(UTC)
    if not found.not_valid_before_utc <= now <= found.not_valid_after_utc - timedelta(days=1):
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(path)
    text = path.read_text("ascii")
    alone = text[text.index("-----BEGIN CERT") :]  # the file holds its key as well
    digest = sha256(ssl.PEM_cert_to_DER_cert(alone)).hexdigest().upper()
    return Certificate(context, ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)))


def _made() -> bytes:
    """Return a new key and a certificate that it has signed itself."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "lanplay")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("lanplay.local")]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return plain + made.public_bytes(Encoding.PEM)
