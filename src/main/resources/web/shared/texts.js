/** The languages there are texts in. */
export const LANGUAGES = { en: 'English', ko: '한국어', ja: '日本語' };

const STORED = 'daybreak.language';

let texts = {};
let plurals = new Intl.PluralRules('en');

/** The language of the page: chosen here before, or else what the server found in Accept-Language. */
export let language = 'en';

/** For Intl: the viewer's own variant of the language, such as en-US, if the browser has one. */
export let locale = 'en-GB';

/** Loads the shared texts and those of a page: `<page>/texts.<language>.js` beside this folder. */
export async function loadTexts(page) {
  const chosen = read();
  language = chosen in LANGUAGES ? chosen : document.documentElement.lang in LANGUAGES ? document.documentElement.lang : 'en';
  locale = navigator.languages.find(tag => tag.toLowerCase().split('-')[0] === language) ?? (language === 'en' ? 'en-GB' : language);
  const loaded = await Promise.all([
    import(`./texts.${language}.js`),
    import(`../${page}/texts.${language}.js`),
  ]);
  texts = Object.assign({}, ...loaded.map(module => module.default));
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

/** From now on this language, here and on the next visit. */
export function chooseLanguage(code) {
  try {
    localStorage.setItem(STORED, code);
  } catch {
    // Without storage the choice is good until the page is closed.
  }
}

function read() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/**
 * The text of a key, with `{name}` filled in. With `n` among the values, `<key>.one` or whatever the language's rule for the
 * number says comes before `<key>`.
 */
export function t(key, values = {}) {
  const text = (values.n !== undefined && texts[`${key}.${plurals.select(values.n)}`]) || texts[key];
  if (text === undefined) {
    console.error(`No text for ${key} in ${language}`);
    return key;
  }
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function hasText(key) {
  return key in texts;
}
