import {
	byId,
	createCopyButton,
	formatCount,
	handleCopyButtons,
	make,
	describeRole,
} from '/common/dom.js';
import { request } from '/common/request.js';
import { showToast } from '/common/shell.js';

/** Number of rows of a list that are shown before it is expanded. */
const INITIAL_ROWS = 5;
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const formatDate = (text) => dateFormat.format(new Date(text));

/** Returns a name, its value and a button to copy it. */
function copyableValue(name, value) {
	return make(
		'div',
		{},
		make('dt', {}, name),
		make('dd', {}, make('code', {}, value), createCopyButton('Copy', value, `Copy ${name}`)),
	);
}

function card(title, values, ...more) {
	return make(
		'article',
		{ class: 'card' },
		make('h3', {}, title),
		make('dl', { class: 'values' }, ...values),
		...more,
	);
}

function personCard({ holder, name, email, phone, fingerprint, userId }) {
	const values = [
		copyableValue('email', email),
		copyableValue('phone number', phone),
		copyableValue('key fingerprint', fingerprint),
		...(userId === undefined ? [] : [copyableValue('Two-Factor user ID', String(userId))]),
	];
	const link = make('a', { href: `/phone?user=${holder}` }, `Open ${describeRole(holder)}’s phone`);
	return card(`${name}, ${describeRole(holder)}`, values, make('p', {}, link));
}

function serviceCard({ title, baseUrl, credential: { headerName, apiKey, privateKey } }) {
	const values = [
		copyableValue('Base URL', baseUrl),
		...(apiKey ? [copyableValue('Header Name', headerName), copyableValue('API Key', apiKey)] : []),
	];
	const secret =
		privateKey &&
		make(
			'details',
			{},
			make('summary', {}, 'Private Signing Key'),
			make('pre', { tabindex: '0' }, privateKey.trim()),
			createCopyButton('Copy Private Signing Key', privateKey),
		);
	return card(title, values, secret || false);
}

/** Returns a table that shows its first rows, and the others on demand. */
function table(title, headings, rows) {
	const tablePart = (list, label) =>
		make(
			'div',
			{ class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
			make(
				'table',
				{},
				make(
					'thead',
					{},
					make('tr', {}, ...headings.map((heading) => make('th', { scope: 'col' }, heading))),
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
	const remainingRows = rows.slice(INITIAL_ROWS);
	return make(
		'article',
		{ class: 'card' },
		make('h3', {}, title),
		tablePart(rows.slice(0, INITIAL_ROWS), title),
		remainingRows.length > 0 &&
			make(
				'details',
				{},
				make('summary', {}, `${remainingRows.length} more`),
				tablePart(remainingRows, `${title}, continued`),
			),
	);
}

/** Sorts future events first, the soonest at the top, then past ones. */
function sortUpcomingFirst(events) {
	const now = Date.now();
	const isOver = ({ end }) => Date.parse(end) < now;
	return [...events].sort(
		(a, b) => isOver(a) - isOver(b) || Date.parse(a.start) - Date.parse(b.start),
	);
}

const eventRow = ({ id, name, start, people }) => [
	id,
	name,
	formatDate(start),
	formatCount(people),
];

const tableLoaders = {
	eventRegistration: async () => {
		const events = (await request('/desk/api/eventRegistration/events')).map((event) => ({
			id: event.Id,
			name: event.Name,
			start: event.StartDate,
			end: event.EndDate,
			people: event.RegistrationCount,
		}));
		const contactLists = await request('/desk/api/eventRegistration/lists');
		const headings = ['Event ID', 'Name', 'Starts', 'Registrations'];
		return [
			table('Events of Event Registration', headings, sortUpcomingFirst(events).map(eventRow)),
			table(
				'Contact lists of Event Registration',
				['List ID', 'Name', 'Contacts'],
				contactLists.lists.map((list) => [
					String(list.ContactListId),
					list.Name,
					formatCount(list.ContactCount),
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
		const headings = ['Event ID', 'Name', 'Starts', 'Attendees'];
		return [table('Events of Event Data', headings, sortUpcomingFirst(events).map(eventRow))];
	},
};

handleCopyButtons(showToast);
try {
	const { services, people } = await request('/start/api/overview');
	byId('people').replaceChildren(...people.map(personCard));
	byId('services').replaceChildren(...services.map(serviceCard));
	const loaders = services.flatMap(({ name }) => tableLoaders[name] ?? []);
	const tables = await Promise.all(loaders.map((load) => load()));
	byId('data').replaceChildren(...tables.flat());
} catch (error) {
	showToast(error.message, 'bad');
}
document.body.dataset.ready = 'yes';
