"""The texts of the page and of its recorder: all that are named are there, in every language, with plurals."""

import json
import re

from book import REPOSITORY, expect

PAGE = REPOSITORY / "Sources" / "Programs" / "LedgerServer" / "Page" / "web"
LANGUAGES = ("en", "nl", "de", "fr")
COUNTS = {"n", "all", "counted", "ignored", "shown"}
# Numbers without a word that depends on them.
BARE = {"inbox.allgo", "proof.erased", "state.sending", "refused.title"}
FORM = r"((?:[^{}|]|\{\w+\})*)"
FORMS = re.compile(rf"\{{(\w+)\|{FORM}\|{FORM}\}}")
VALUE = re.compile(r"\{(\w+)\}")
# Newer than Safari 16 and Firefox 115, the oldest browsers that the page is for.
TOO_NEW = re.compile(
    r"AbortSignal\.any|Promise\.(withResolvers|try)|Array\.fromAsync|\bIterator\.|Object\.groupBy|Map\.groupBy"
    r"|\.(isSubsetOf|intersection|difference|union|symmetricDifference)\(|URL\.(parse|canParse)\("
    r"|\(\?<[=!]|/[dgimsuy]*v[dgimsuy]*\.test|showPopover|startViewTransition|\bscrollend\b|:has\("
    r"|checkVisibility|Uint8Array\.from(Base64|Hex)|\.to(Base64|Hex)\(|Intl\.(Segmenter|DurationFormat)|RegExp\.escape"
    r"|\.(keys|values|entries)\(\)\.(map|filter|toArray|some|every|find)\(")
# The same of style sheets: nesting among them, and what would leave a rule out.
TOO_NEW_STYLE = re.compile(
    r":has\(|:popover-open|:user-(in)?valid|:dir\(|@(starting-style|property|scope)|text-wrap|light-dark\(|color-mix\("
    r"|field-sizing|interpolate-size|anchor-name|^\s*&", re.M)
# Known there, but in Safari 16 or Firefox 115 only: Chromium may lack none of it.
FRESH = re.compile(r"\.(toReversed|toSorted|toSpliced|with)\(")

# Modules that no other view shares, and that may wait while they are evaluated.
FIRST = {"app.js", "report-link.js"}
WAITS = re.compile(r"^await |^(?:export )?(?:const|let) [^=]*= await ", re.M)


def texts_of(path):
    """Returns the texts of a module by their keys."""
    joined = re.sub(r"'\s*\n\s*\+ '", "", path.read_text())
    return dict(re.findall(r"(?:^ {4}|, )'?([a-z][\w.-]*)'?: '((?:[^'\\]|\\.)*)'", joined, re.M))


def shared_words():
    """Returns the words that the page shares with reports, which are there in every language."""
    words = re.findall(r"^ {8}'([\w.]+)': '([^']*)',$", (PAGE / "texts" / "words.js").read_text(), re.M)
    return dict(words)


# The decisions about settings, with the members that only name what is decided about or why.
SETTINGS = {
    "routine_saved": {"routine", "fields"}, "vehicle_registered": set(), "odometer_read": set(), "place_saved": set(),
    "field_defined": {"key"}, "rules_adopted": set(), "clock_shifted": {"why"}, "expense_recorded": {"corrects_expense"},
    "rates_loaded": {"table"}, "settings_changed": set()}
OF_ALL = {"type", "source", "group", "occurred_at", "id", "sequence", "actor", "extra"}


def check_changed_names():
    """Checks that everything that can be changed about a setting has a name in the list of changes."""
    english = texts_of(PAGE / "texts" / "en.js") | shared_words()

    def objects(value):
        if isinstance(value, dict):
            yield value
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from objects(inner)

    schema = json.loads((REPOSITORY / "Schemas" / "event.v1.schema.json").read_text())
    found = set()
    for one in objects(schema):
        members = one.get("properties")
        kind = isinstance(members, dict) and isinstance(members.get("type"), dict) and members["type"].get("const")
        if kind not in SETTINGS:
            continue
        found.add(kind)
        for name in set(members) - OF_ALL - SETTINGS[kind]:
            expect(f"changed.{name}" in english or name in english, f"{kind}: {name} has no name among the changes")
    expect(found == set(SETTINGS), f"only these decisions were found: {sorted(found)}")


def check_texts():
    """Checks that every text that the modules name is there, and says its counts in each language."""
    # The page of a shared trip has its texts in itself.
    code = "".join(path.read_text() for path in sorted(PAGE.glob("*.js")) if path.stem != "live-trip")
    english = texts_of(PAGE / "texts" / "en.js") | shared_words()
    named = set(re.findall(r"\bt\('([\w.-]+)'", code))
    expect(named <= set(english), f"texts that are named and not there: {sorted(named - set(english))}")
    expect(len(english) > 200, f"only {len(english)} texts were found")
    check_changed_names()
    for directory in (PAGE / "texts", PAGE / "record" / "texts"):
        english = texts_of(directory / "en.js")
        for language in LANGUAGES:
            texts = texts_of(directory / f"{language}.js")
            expect(set(texts) == set(english), f"{language}: other texts than in English")
            for key, text in texts.items():
                check_text(f"{language}: {key}", text, english.get(key, ""), key)


def check_oldest():
    """Checks that no module and no style sheet needs a browser newer than the oldest ones."""
    for path in sorted(PAGE.rglob("*.css")):
        if "leaflet" in path.parts:
            continue
        for found in TOO_NEW_STYLE.finditer(path.read_text()):
            expect(False, f"{path.name} uses {found.group()}, which the oldest browsers lack")
    for path in sorted(PAGE.rglob("*.js")):
        if "leaflet" in path.parts:
            continue
        for pattern in (TOO_NEW, FRESH):
            for found in pattern.finditer(path.read_text()):
                expect(False, f"{path.name} uses {found.group()}, which the oldest browsers lack")
        is_first = path.name in FIRST or path.parent.name == "record"
        expect(is_first or WAITS.search(path.read_text()) is None,
               f"{path.name} waits while it is evaluated: WebKit gives out what it shares before it is ready")


def check_text(place, text, english, key):
    """A text has the values that English has, and a form of its words for one and for more."""
    values = set(VALUE.findall(text))
    expect(values == set(VALUE.findall(english)), f"{place} has the values {sorted(values)}")
    leftover = VALUE.sub("", FORMS.sub(r"\2\3", text))
    expect("{" not in leftover and "}" not in leftover, f"{place} has braces that hold no value: {text}")
    if values & COUNTS and key not in BARE:
        forms = [pair[1:] for pair in FORMS.findall(text)]
        expect(forms, f"{place} has no form for one: {text}")
        expect(all(one != more for one, more in forms), f"{place} has one form twice: {text}")


# The page's words for one, for several, and for none.
SAY = """const [done] = arguments;
    const base = document.querySelector('script[type=module]').src.replace('app.js', 'texts.js');
    import(base).then(({ t }) => done([0, 1, 2, 12345].map((n) => t('trips.gaps', { n }))),
        (error) => done([String(error)]))"""
SAID = {
    "en": ["0 gaps", "1 gap", "2 gaps", "12,345 gaps"],
    "nl": ["0 gaten", "1 gat", "2 gaten", "12.345 gaten"],
    "de": ["0 Lücken", "1 Lücke", "2 Lücken", "12.345 Lücken"],
    "fr": ["0 lacune", "1 lacune", "2 lacunes", "12\u202f345 lacunes"],
}


def check_plurals(page, language):
    """The page in a language says one gap, and two gaps."""
    said = page.browser.execute_async_script(SAY)
    expect(said == SAID[language], f"{language}: gaps are {said}")
