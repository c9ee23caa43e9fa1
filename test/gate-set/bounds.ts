/** A sentence of a task with a modal word, how binding it is, and a page that breaks it. */
export interface Bound {
  readonly sentence: string;
  readonly strength: 'MUST' | 'SHOULD' | 'MAY';
  /** The body of a page that breaks the sentence. Nothing breaks what is optional. */
  readonly broken?: string;
}

const must = (sentence: string, broken: string): Bound => ({ sentence, strength: 'MUST', broken });
const should = (sentence: string, broken: string): Bound => ({
  sentence,
  strength: 'SHOULD',
  broken,
});
const may = (sentence: string): Bound => ({ sentence, strength: 'MAY' });

const form = (field: string): string =>
  `<form><label>Name <input name="n"></label>${field}<button>Send</button></form>`;
const items = (count: number): string =>
  `<ul>${Array.from({ length: count }, (_, index) => `<li>Item ${index}</li>`).join('')}</ul>`;

const english: readonly Bound[] = [
  must('Neither the name nor the address may leave the browser.', form('<script>send()</script>')),
  must('A guest may see the calendar only after signing in.', '<p>Calendar: Monday, yoga</p>'),
  must('A voucher may be used once at most.', '<p>Use your voucher as often as you like.</p>'),
  must('The list may show up to five entries.', items(9)),
  must('Nobody except the editor can delete a comment.', '<button>Delete comment</button>'),
  must('Photos may not be larger than 200 kilobytes.', '<p>Photos of any size are welcome.</p>'),
  must('Members may never be asked for their password twice.', form('<input type="password">')),
  must('An invoice can be cancelled only by the person who wrote it.', '<button>Cancel</button>'),
  must('The banner may appear no more than once a day.', '<p>Banner: 20 % off, on each page.</p>'),
  must('No field may be filled in by default.', form('<input name="q" value="Bob">')),
  must(
    'Unless the visitor agrees, no cookie may be set.',
    '<script>document.cookie="a=1"</script>',
  ),
  must('Orders may be changed until 6 pm, but not after it.', '<p>Change orders at any time.</p>'),
  must('A dog may enter the hall only on a lead.', '<p>Dogs run free in the hall.</p>'),
  must('The text can have no more than three paragraphs.', '<p>a</p><p>b</p><p>c</p><p>d</p>'),
  must('Under no circumstances may the phone number be public.', '<p>Phone: 030 123456</p>'),
  must('Only one dialog may be open at a time.', '<dialog open>A</dialog><dialog open>B</dialog>'),
  must('Not more than two columns may be used on a phone.', '<table><tr><td>1<td>2<td>3</table>'),
  must('Comments are to be shown only when somebody opens them.', '<p>Comment: great bread</p>'),
  must('None of the links may open a new window.', '<a href="/a" target="_blank">A</a>'),
  must('Without a signed contract, nothing can be ordered.', '<button>Order now</button>'),
  must('The recipe may use butter, but never nuts.', '<p>Butter, flour and walnuts.</p>'),
  must('At no time may two players hold the same card.', '<p>Ann: ace. Bob: the same ace.</p>'),
  must('The title may be at most 40 characters long.', `<h1>${'Long title '.repeat(9)}</h1>`),
  must('Users cannot be shown the price before they choose a size.', '<p>Price: 12 euros</p>'),
  must('The export could contain anything except names.', '<p>Export: Ann Berg, Bob Lund</p>'),
  must('Fewer than four colours may appear on the page.', '<p>Red, green, blue, pink, black.</p>'),
  must('It must not be possible to send the form empty.', form('')),
  should('The greeting should not be longer than one line.', '<p>Hello<br>and welcome<br>here</p>'),
  should('Dates should never be written with slashes.', '<p>Opened on 01/02/2024</p>'),
];

const german: readonly Bound[] = [
  must('Niemand darf ohne Anmeldung Bilder hochladen.', '<input type="file" aria-label="Bild">'),
  must('Ein Gutschein kann nur einmal eingelöst werden.', '<p>Beliebig oft einlösbar.</p>'),
  must('Auf der Startseite dürfen höchstens drei Angebote stehen.', items(7)),
  must('Weder Name noch Anschrift dürfen gespeichert werden.', '<p>Wir speichern Ihren Namen.</p>'),
  must('Es darf nichts verschickt werden, bevor der Nutzer zustimmt.', '<p>Mail verschickt.</p>'),
  must('Nur die Leitung darf Termine löschen.', '<button>Termin löschen</button>'),
  must('Die Überschrift darf nicht länger als 40 Zeichen sein.', `<h1>${'Lang '.repeat(30)}</h1>`),
  must('Kommentare können bis zu 200 Zeichen haben.', `<p>Kommentar: ${'sehr '.repeat(99)}</p>`),
  must('Keiner der Links darf ein neues Fenster öffnen.', '<a href="/a" target="_blank">A</a>'),
  must('Ohne Vertrag kann nichts bestellt werden.', '<button>Jetzt bestellen</button>'),
  must('Preise dürfen erst nach der Auswahl sichtbar sein.', '<p>Preis: 12 Euro</p>'),
  must('Hunde dürfen nur an der Leine in den Saal.', '<p>Hunde laufen frei im Saal.</p>'),
  must('Es können maximal zwei Dateien angehängt werden.', '<p>Anhänge: unbegrenzt viele</p>'),
  must('Passwörter dürfen niemals im Klartext erscheinen.', '<p>Passwort: Sommer22</p>'),
  must('Der Text darf alles außer Werbung enthalten.', '<p>Werbung: kaufen Sie jetzt!</p>'),
  must(
    'Mehr als ein Fenster darf nie offen sein.',
    '<dialog open>A</dialog><dialog open>B</dialog>',
  ),
  must('Die Telefonnummer darf keinesfalls öffentlich sein.', '<p>Telefon: 030 123456</p>'),
  must('Bestellungen dürfen lediglich am selben Tag geändert werden.', '<p>Jederzeit ändern.</p>'),
  must(
    'Es sei denn, der Gast stimmt zu, darf kein Cookie gesetzt werden.',
    '<p>Cookie gesetzt</p>',
  ),
  must('Rabatte können nicht kombiniert werden.', '<p>Kombinieren Sie alle Rabatte.</p>'),
  should('Die Begrüßung sollte nicht länger als eine Zeile sein.', '<p>Hallo<br>und<br>hier</p>'),
];

const optional: readonly Bound[] = [
  may('The footer may show a map of the town.'),
  may('Guests can optionally leave a phone number.'),
  may('Each teacher may add a photo.'),
  may('A search box could be added later.'),
  may('You may use any colours that you like.'),
  may('Die Seite kann ein Bild der Schule zeigen.'),
  may('Optional darf eine Suche angeboten werden.'),
  may('Lehrkräfte können ein Foto ergänzen.'),
  may('Im Fuß darf eine Karte stehen.'),
  may('Ein Newsletter kann angeboten werden.'),
];

/** Sixty sentences, labelled before any code read them. */
export const bounds: readonly Bound[] = [...english, ...german, ...optional];
