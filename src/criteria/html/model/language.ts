/** The two-letter codes of ISO 639-1, including withdrawn ones. */
const short = new Set(
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'.split(
    ' ',
  ),
);

/**
 * Returns whether a text is a language tag (BCP 47) that begins with a language: a two-letter code
 * of ISO 639-1, or three letters without a two-letter form.
 */
export function isLanguageTag(text: string): boolean {
  const tag = text.trim();
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/i.test(tag)) return false;
  const first = primaryOf(tag);
  return first.length === 2 ? short.has(first) : canonical(first).length === 3;
}

/** Returns the language in a tag, without script and region. */
export function primaryOf(tag: string): string {
  return tag.trim().toLowerCase().split('-', 1)[0] ?? '';
}

function canonical(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? language;
  } catch {
    return language;
  }
}
