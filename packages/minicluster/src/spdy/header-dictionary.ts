/** The words that begin the dictionary, `200 OK` with a low line for its space. */
const words = `
options head post put delete trace accept accept-charset accept-encoding accept-language
accept-ranges age allow authorization cache-control connection content-base content-encoding
content-language content-length content-location content-md5 content-range content-type date etag
expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer
retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate
method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin
`;

/** What follows them. */
const phrases = [
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505',
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Una',
  'uthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service',
  ' UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, ',
  'Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,applicat',
  'ion/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf',
  '-8charset=iso-8859-1,utf-,*,enq=0.',
];

/**
 * What both sides of a SPDY/3 connection take as known when they compress headers (section 2.6.10.1 of the draft): words
 * with their length in front, then a text of status lines, months and media types.
 */
export function headerDictionary(): Buffer {
  const known = words.trim().split(/\s+/);
  const parts = known.map((word) => prefixed(word.replace('_', ' ')));
  return Buffer.concat([...parts, Buffer.from(phrases.join(''), 'latin1')]);
}

function prefixed(word: string): Buffer {
  const bytes = Buffer.from(`\0\0\0\0${word}`, 'latin1');
  bytes.writeUInt32BE(word.length);
  return bytes;
}
