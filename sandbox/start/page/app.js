import { byId, copyButton, countOf, listenForCopies, make, roleOf } from '/common/dom.js';
import { request } from '/common/request.js';
import { toast } from '/common/shell.js';

/** Number of rows of a list that are shown before it is expanded. */
const ROWS_SHOWN = 5;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dateOf = (text) => day.format(new Date(text));

/** Returns a name, its value and a button to copy it. */
function fact(name, value) {
	return make(
		'div',
		{},
		make('dt', {}, name),
		make('dd', {}, make('code', {}, value), copyButton('Copy', value, `Copy ${name}`)),
	);
}

function card(title, facts, ...more) {
	return make(
		'article',
		{ class: 'card' },
		make('h3', {}, title),
		make('dl', { class: 'values' }, ...facts),
		...more,
	);
}

function personCard({ holder, name, email, phone, fingerprint, userId }) {
	const facts = [
		fact('email', email),
		fact('phone number', phone),
		fact('key fingerprint', fingerprint),
		...(userId === undefined ? [] : [fact('Two-Factor user ID', String(userId))]),
	];
	const link = make('a', { href: `/phone?user=${holder}` }, `Open ${roleOf(holder)}’s phone`);
	return card(`${name}, ${roleOf(holder)}`, facts, make('p', {}, link));
}

function serviceCard({ title, baseUrl, credential: { headerName, apiKey, privateKey } }) {
	const facts = [
		fact('Base URL', baseUrl),
		...(apiKey ? [fact('Header Name', headerName), fact('API Key', apiKey)] : []),
	];
	const secret =
		privateKey &&
		make(
			'details',
			{},
			make('summary', {}, 'Private Signing Key'),
			make('pre', { tabindex: '0' }, privateKey.trim()),
			copyButton('Copy Private Signing Key', privateKey),
		);
	return card(title, facts, secret || false);
}

/** Returns a table that shows its first rows, and the others on demand. */
function table(title, heads, rows) {
	const part = (list, label) =>
		make(
			'div',
			{ class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
			make(
				'table',
				{},
				make(
					'thead',
					{},
					make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head))),
				),
				make(
					'tbody',
					{},
					...list.map(([id, ...cells]) =>
						make(
							'tr',
							{},
							make('td', {}, make('code', {}, id)),
							...cells.map((cell) => make('td', {}, cell)),
						),
					),
				),
			),
		);
	const rest = rows.slice(ROWS_SHOWN);
	return make(
		'article',
		{ class: 'card' },
		make('h3', {}, title),
		part(rows.slice(0, ROWS_SHOWN), title),
		rest.length > 0 &&
			make(
				'details',
				{},
				make('summary', {}, `${rest.length} more`),
				part(rest, `${title}, continued`),
			),
	);
}

/** Sorts future events first, the soonest at the top, then past ones. */
function upcomingFirst(events) {
	const now = Date.now();
	const isOver = ({ end }) => Date.parse(end) < now;
	return [...events].sort(
		(a, b) => isOver(a) - isOver(b) || Date.parse(a.start) - Date.parse(b.start),
	);
}

const eventRow = ({ id, name, start, people }) => [id, name, dateOf(start), countOf(people)];

const lists = {
	eventRegistration: async () => {
		const events = (await request('/desk/api/eventRegistration/events')).map((event) => ({
			id: event.Id,
			name: event.Name,
			start: event.StartDate,
			end: event.EndDate,
			people: event.RegistrationCount,
		}));
		const contacts = await request('/desk/api/eventRegistration/lists');
		const heads = ['Event ID', 'Name', 'Starts', 'Registrations'];
		return [
			table('Events of Event Registration', heads, upcomingFirst(events).map(eventRow)),
			table(
				'Contact lists of Event Registration',
				['List ID', 'Name', 'Contacts'],
				contacts.lists.map((list) => [
					String(list.ContactListId),
					list.Name,
					countOf(list.ContactCount),
				]),
			),
		];
	},
	eventData: async () => {
		const events = (await request('/desk/api/eventData/events')).map((event) => ({
			id: event.id,
			name: event.name,
			start: event.startDate,
			end: event.endDate,
			people: event.attendeeCount,
		}));
		const heads = ['Event ID', 'Name', 'Starts', 'Attendees'];
		return [table('Events of Event Data', heads, upcomingFirst(events).map(eventRow))];
	},
};

listenForCopies(toast);
try {
	const { services, people } = await request('/start/api/overview');
	byId('people').replaceChildren(...people.map(personCard));
	byId('services').replaceChildren(...services.map(serviceCard));
	const shown = services.flatMap(({ name }) => lists[name] ?? []);
	const tables = await Promise.all(shown.map((read) => read()));
	byId('data').replaceChildren(...tables.flat());
} catch (error) {
	toast(error.message, 'bad');
}
document.body.dataset.ready = 'yes';
