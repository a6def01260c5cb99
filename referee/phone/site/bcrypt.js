// bcrypt_pbkdf, with which OpenSSH makes a key of a passphrase.
import { sha512 } from "@noble/hashes/sha2.js";

// Blowfish begins with the digits of π behind the comma: 18 and 4 · 256 words of 32 bits.
const WORDS = 18 + 1024;
let start = null;

// Machin: π = 16 arctan 1/5 - 4 arctan 1/239, in whole numbers with some bits to spare.
function pi() {
  const bits = BigInt(32 * WORDS);
  const one = 1n << (bits + 64n);
  const arctan = (by) => {
    let [term, sum, sign] = [one / by, 0n, 1n];
    for (let odd = 1n; term; odd += 2n) {
      sum += sign * (term / odd);
      term /= by * by;
      sign = -sign;
    }
    return sum;
  };
  const digits = (((16n * arctan(5n) - 4n * arctan(239n)) >> 64n) & ((1n << bits) - 1n)).toString(16).padStart(8 * WORDS, "0");
  return Uint32Array.from({ length: WORDS }, (_, at) => parseInt(digits.slice(8 * at, 8 * at + 8), 16));
}

// `box` has the 18 words of P, and behind them the four boxes of S.
function encipher(box, pair, at) {
  let [left, right] = [pair[at], pair[at + 1]];
  for (let round = 0; round < 16; round += 2) {
    left ^= box[round];
    right ^= (((box[18 + (left >>> 24)] + box[274 + ((left >>> 16) & 255)]) ^ box[530 + ((left >>> 8) & 255)]) + box[786 + (left & 255)]) ^ box[round + 1];
    left ^= ((box[18 + (right >>> 24)] + box[274 + ((right >>> 16) & 255)]) ^ box[530 + ((right >>> 8) & 255)]) + box[786 + (right & 255)];
  }
  pair[at] = right ^ box[17];
  pair[at + 1] = left ^ box[16];
}

// Mixes a key into the boxes, and a salt where there is one; both are 64 bytes as 16 words.
function expand(box, key, salt) {
  for (let at = 0; at < 18; at += 1) box[at] ^= key[at % 16];
  const pair = new Uint32Array(2);
  for (let at = 0; at < WORDS; at += 2) {
    if (salt) { pair[0] ^= salt[at % 16]; pair[1] ^= salt[(at + 1) % 16]; }
    encipher(box, pair, 0);
    box[at] = pair[0];
    box[at + 1] = pair[1];
  }
}

function words(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, at) => view.getUint32(4 * at));
}

const MAGIC = words(new TextEncoder().encode("OxychromaticBlowfishSwatDynamite"));

function hash(pass, salt) {
  start ??= pi();
  const box = start.slice();
  expand(box, pass, salt);
  for (let round = 0; round < 64; round += 1) { expand(box, salt, null); expand(box, pass, null); }
  const text = MAGIC.slice();
  for (let round = 0; round < 64; round += 1) for (let at = 0; at < 8; at += 2) encipher(box, text, at);
  const out = new Uint8Array(32);
  const view = new DataView(out.buffer);
  text.forEach((word, at) => view.setUint32(4 * at, word, true));
  return out;
}

export function bcryptPbkdf(passphrase, salt, rounds, size) {
  const pass = words(sha512(passphrase));
  const blocks = Math.ceil(size / 32);
  const key = new Uint8Array(size);
  for (let count = 1; count <= blocks; count += 1) {
    const first = new Uint8Array(salt.length + 4);
    first.set(salt);
    new DataView(first.buffer).setUint32(salt.length, count);
    let part = hash(pass, words(sha512(first)));
    const sum = part.slice();
    for (let round = 1; round < rounds; round += 1) {
      part = hash(pass, words(sha512(part)));
      sum.forEach((_, at) => { sum[at] ^= part[at]; });
    }
    // The bytes of all blocks lie between each other.
    sum.forEach((byte, at) => { const place = at * blocks + count - 1; if (place < size) key[place] = byte; });
  }
  return key;
}
