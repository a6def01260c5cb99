// Curves and ciphers for the Python in this worker, which knows what they are for. All of it is
// synchronous, so that Python can call it in the middle of a check.
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { hmac } from "@noble/hashes/hmac.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { bcryptPbkdf } from "./bcrypt.js";

const { Point } = ed25519;
const text = new TextEncoder();
const utf8 = (bytes) => new TextDecoder().decode(bytes);

const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) { all.set(one, at); at += one.length; }
  return all;
};
const same = (one, two) => one.length === two.length && one.every((byte, at) => byte === two[at]);
const little = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const base64 = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
function unbase64(said) {
  const bytes = Uint8Array.from(atob(said), (char) => char.charCodeAt(0));
  if (base64(bytes) !== said) throw new Error("broken");
  return bytes;
}
const random = (count) => crypto.getRandomValues(new Uint8Array(count));

export const publicOf = (seed) => ed25519.getPublicKey(seed);
export const sign = (data, seed) => ed25519.sign(data, seed);

// Only a key with a passphrase needs these, whose tables take a while to be made.
let aes = null;
export async function ciphers() { aes ??= await import("@noble/ciphers/aes.js"); }

// A few keys sign all of a log, so their points are kept, and after some uses their multiples, as
// are those of the base: to make them takes longer than to check one signature.
const points = new Map();
const USES = 4;
const base = Point.fromAffine(Point.BASE.toAffine());
let checks = 0;
function pointOf(raw) {
  const name = base64(raw);
  if (!points.has(name)) {
    if (points.size >= 64) points.clear();
    points.set(name, { minus: Point.fromBytes(raw).negate(), uses: 0 });
  }
  const one = points.get(name);
  one.uses += 1;
  if (one.uses === USES) one.minus.precompute(8, false);
  return one.minus;
}

// RFC 8032 without cofactor, and R compared as bytes: just what OpenSSL and OpenSSH accept.
// noble's own check multiplies by the cofactor, and so takes signatures that those refuse.
export function verify(signature, data, raw) {
  if (signature.length !== 64) return false;
  const [r, s] = [signature.subarray(0, 32), little(signature.subarray(32))];
  if (s >= Point.Fn.ORDER) return false;
  let minus;
  try { minus = pointOf(raw); } catch { return false; }
  const k = little(sha512(joined(r, raw, data))) % Point.Fn.ORDER;
  checks += 1;
  const left = s === 0n ? Point.ZERO : (checks < USES ? base : Point.BASE).multiplyUnsafe(s);
  const right = k === 0n ? Point.ZERO : minus.multiplyUnsafe(k);
  return same(left.add(right).toBytes(), r);
}

// age-encryption.org/v1, with stanzas for X25519 and ssh-ed25519.
const VERSION = "age-encryption.org/v1";
const CHUNK = 65536;
const SSH_KIND = text.encode("ssh-ed25519");
const sshLabel = text.encode("age-encryption.org/v1/ssh-ed25519");
const ageLabel = text.encode("age-encryption.org/v1/X25519");
const ZERO = new Uint8Array(12);
const string = (bytes) => {
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, bytes.length);
  return joined(size, bytes);
};
const blobOf = (raw) => joined(string(SSH_KIND), string(raw));
const tagOf = (raw) => sha256(blobOf(raw)).subarray(0, 4);
const tweakOf = (raw) => hkdf(sha256, new Uint8Array(0), blobOf(raw), sshLabel, 32);
const wrap = (key, fileKey) => chacha20poly1305(key, ZERO).encrypt(fileKey);
const unwrap = (key, body) => chacha20poly1305(key, ZERO).decrypt(body);

function stanzaTo(recipient, fileKey) {
  const secret = random(32);
  const share = x25519.getPublicKey(secret);
  if (recipient.startsWith("ssh-ed25519 ")) {
    const blob = Uint8Array.from(atob(recipient.split(" ")[1]), (char) => char.charCodeAt(0));
    const raw = blob.subarray(-32);
    const theirs = ed25519.utils.toMontgomery(raw);
    const shared = x25519.getSharedSecret(tweakOf(raw), x25519.getSharedSecret(secret, theirs));
    const key = hkdf(sha256, shared, joined(share, theirs), sshLabel, 32);
    return { words: ["ssh-ed25519", base64(tagOf(raw)), base64(share)], body: wrap(key, fileKey) };
  }
  const theirs = bech32(recipient, "age");
  const key = hkdf(sha256, x25519.getSharedSecret(secret, theirs), joined(share, theirs), ageLabel, 32);
  return { words: ["X25519", base64(share)], body: wrap(key, fileKey) };
}

const lined = (body) => { const said = base64(body); return `${said.replace(/(.{64})/g, "$1\n")}\n`; };

// STREAM: chunks under a counter, of which the last one is marked.
function nonceOf(number, last) {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, number);
  nonce[11] = last ? 1 : 0;
  return nonce;
}

export function encrypt(plain, recipients) {
  const fileKey = random(16);
  const stanzas = recipients.map((one) => stanzaTo(one, fileKey));
  const lines = stanzas.map(({ words, body }) => `-> ${words.join(" ")}\n${lined(body)}`).join("");
  const header = `${VERSION}\n${lines}---`;
  const mac = hmac(sha256, hkdf(sha256, fileKey, new Uint8Array(0), text.encode("header"), 32), text.encode(header));
  const nonce = random(16);
  const key = hkdf(sha256, fileKey, nonce, text.encode("payload"), 32);
  const chunks = [];
  const count = Math.max(1, Math.ceil(plain.length / CHUNK));
  for (let at = 0; at < count; at += 1) {
    chunks.push(chacha20poly1305(key, nonceOf(at, at === count - 1)).encrypt(plain.slice(at * CHUNK, (at + 1) * CHUNK)));
  }
  return joined(text.encode(`${header} ${base64(mac)}\n`), nonce, ...chunks);
}

function parsed(sealed) {
  const lines = [];
  let at = 0;
  for (;;) {
    const end = sealed.indexOf(10, at);
    if (end < 0 || end > 1 << 16) throw new Error("broken");
    const line = sealed.subarray(at, end);
    if (line.some((byte) => byte < 32 || byte > 126)) throw new Error("broken");
    lines.push(utf8(line));
    at = end + 1;
    if (lines.at(-1).startsWith("---")) break;
  }
  if (lines.shift() !== VERSION) throw new Error("broken");
  const [dashes, mac, ...more] = lines.pop().split(" ");
  if (dashes !== "---" || more.length || mac === undefined) throw new Error("broken");
  const stanzas = [];
  while (lines.length) {
    const [arrow, ...words] = lines.shift().split(" ");
    if (arrow !== "->" || !words.length || words.includes("")) throw new Error("broken");
    let body = "";
    for (;;) {
      const line = lines.shift();
      if (line === undefined || line.length > 64) throw new Error("broken");
      body += line;
      if (line.length < 64) break;
    }
    stanzas.push({ words, body: unbase64(body) });
  }
  const covered = sealed.subarray(0, at - mac.length - 2);
  return { stanzas, covered, mac: unbase64(mac), payload: sealed.subarray(at) };
}

function openedBy(stanza, identity) {
  const [kind, ...words] = stanza.words;
  if (kind === "ssh-ed25519" && identity.seed) {
    if (words.length !== 2) throw new Error("broken");
    const raw = ed25519.getPublicKey(identity.seed);
    if (words[0] !== base64(tagOf(raw))) return null;
    const share = unbase64(words[1]);
    if (share.length !== 32 || stanza.body.length !== 32) throw new Error("broken");
    const mine = ed25519.utils.toMontgomerySecret(identity.seed);
    const shared = x25519.getSharedSecret(tweakOf(raw), x25519.getSharedSecret(mine, share));
    const key = hkdf(sha256, shared, joined(share, ed25519.utils.toMontgomery(raw)), sshLabel, 32);
    return unwrap(key, stanza.body);
  }
  if (kind === "X25519" && identity.secret) {
    if (words.length !== 1) throw new Error("broken");
    const share = unbase64(words[0]);
    if (share.length !== 32 || stanza.body.length !== 32) throw new Error("broken");
    const mine = x25519.getPublicKey(identity.secret);
    const key = hkdf(sha256, x25519.getSharedSecret(identity.secret, share), joined(share, mine), ageLabel, 32);
    // Such a stanza does not say for whom it is.
    try { return unwrap(key, stanza.body); } catch { return null; }
  }
  return null;
}

// Gives the plain bytes, or null for a block that is for other keys; throws for a broken one.
export function decrypt(sealed, identity) {
  const { stanzas, covered, mac, payload } = parsed(sealed);
  let fileKey = null;
  for (const one of stanzas) {
    fileKey = openedBy(one, identity);
    if (fileKey) break;
  }
  if (!fileKey) return null;
  const wanted = hmac(sha256, hkdf(sha256, fileKey, new Uint8Array(0), text.encode("header"), 32), covered);
  if (!same(wanted, mac) || payload.length < 32) throw new Error("broken");
  const key = hkdf(sha256, fileKey, payload.subarray(0, 16), text.encode("payload"), 32);
  const found = [];
  for (let at = 16, number = 0; at < payload.length; number += 1) {
    const end = Math.min(at + CHUNK + 16, payload.length);
    const last = end === payload.length;
    const chunk = chacha20poly1305(key, nonceOf(number, last)).decrypt(payload.slice(at, end));
    if (last && number && !chunk.length) throw new Error("broken");
    found.push(chunk);
    at = end;
  }
  return joined(...found);
}

export const opens = (sealed, seed) => decrypt(sealed, { seed });
export const opensAge = (sealed, identity) => decrypt(sealed, { secret: bech32(identity.toLowerCase(), "age-secret-key-") });

// Bech32 (BIP 173), as age writes its keys.
const LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
function polymod(values) {
  let check = 1;
  for (const value of values) {
    const top = check >> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((part, bit) => { if ((top >> bit) & 1) check ^= part; });
  }
  return check;
}
const spread = (prefix) => [...[...prefix].map((char) => char.charCodeAt(0) >> 5), 0, ...[...prefix].map((char) => char.charCodeAt(0) & 31)];

function bech32(said, prefix) {
  const values = [...said.slice(prefix.length + 1)].map((char) => LETTERS.indexOf(char));
  if (!said.startsWith(`${prefix}1`) || values.includes(-1) || polymod([...spread(prefix), ...values]) !== 1) throw new Error("broken");
  let [number, bits] = [0, 0];
  const bytes = [];
  for (const value of values.slice(0, -6)) {
    number = ((number << 5) | value) & 0xfff;
    bits += 5;
    if (bits >= 8) { bits -= 8; bytes.push((number >> bits) & 255); }
  }
  if (bytes.length !== 32 || number & ((1 << bits) - 1)) throw new Error("broken");
  return Uint8Array.from(bytes);
}

export function ageRecipient(identity) {
  const raw = x25519.getPublicKey(bech32(identity.toLowerCase(), "age-secret-key-"));
  const values = [];
  let [number, bits] = [0, 0];
  for (const byte of raw) {
    number = ((number << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) { bits -= 5; values.push((number >> bits) & 31); }
  }
  values.push((number << (5 - bits)) & 31);
  const check = polymod([...spread("age"), ...values, 0, 0, 0, 0, 0, 0]) ^ 1;
  for (let at = 5; at >= 0; at -= 1) values.push((check >> (5 * at)) & 31);
  return `age1${values.map((value) => LETTERS[value]).join("")}`;
}

// The private section of an OpenSSH key file, from its cipher, salt, rounds and tag.
// Throws where the passphrase is wrong and the cipher can tell.
export function unlock(cipher, section, tag, passphrase, salt, rounds) {
  const size = { "aes256-ctr": 16, "aes256-cbc": 16, "aes256-gcm@openssh.com": 12 }[cipher];
  const made = bcryptPbkdf(passphrase, salt, rounds, 32 + size);
  const [key, iv] = [made.slice(0, 32), made.slice(32)];
  if (cipher === "aes256-ctr") return aes.ctr(key, iv).decrypt(section);
  if (cipher === "aes256-cbc") return aes.cbc(key, iv, { disablePadding: true }).decrypt(section);
  return aes.gcm(key, iv).decrypt(joined(section, tag));
}
