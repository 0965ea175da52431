import { make, formatTime } from '/common/dom.js';

const tones = {
	confirmed: 'good',
	cancelled: 'bad',
	pending: 'warn',
	waitlisted: 'warn',
};
const dayTimeFormat = new Intl.DateTimeFormat(undefined, {
	day: 'numeric',
	month: 'short',
	hour: '2-digit',
	minute: '2-digit',
});
const dayFormat = new Intl.DateTimeFormat(undefined, {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
});

/** Formats a day and a time in the user's locale. */
export const formatDayAndTime = (text) => dayTimeFormat.format(new Date(text));

/** Formats the days from one time to another. */
export const formatDays = (start, end) => dayFormat.formatRange(new Date(start), new Date(end));

/** Formats a time on the sandbox's current day, or else a day and a time. */
function formatTimeOrDay(text, now) {
	const date = new Date(text);
	return date.toDateString() === new Date(now).toDateString()
		? formatTime(date)
		: formatDayAndTime(text);
}

/** Returns a status as the pages spell it: the services say `cancelled`, all other texts `canceled`. */
export const formatStatus = (status) => status.replace(/^(c)ancelled$/i, '$1anceled');

/** Returns a status as a chip, with a capital first letter. */
export function createStatusChip(status) {
	const spelled = formatStatus(status);
	const text = spelled.charAt(0).toUpperCase() + spelled.slice(1);
	return make('span', { class: `chip ${tones[status.toLowerCase()] ?? ''}` }, text);
}

const formatInitials = (name) =>
	name
		.split(/\s+/)
		.map((word) => [...word][0] ?? '')
		.slice(0, 2)
		.join('')
		.toUpperCase();

/** Describes a visit. */
export function describeVisit(visit, now) {
	if (!visit) return 'Not here yet';
	if (visit.out) return `Left ${formatTimeOrDay(visit.out, now)}`;
	return `In since ${formatTimeOrDay(visit.in, now)}`;
}

/** Returns the line with an email address and a note, such as the registration type. It wraps before the note. */
function createContactLine({ email, note }) {
	const separator = email && note ? ' · ' : '';
	return make(
		'p',
		{ class: 'from' },
		email ?? '',
		separator,
		note && make('span', { class: 'kind' }, note),
	);
}

/** Returns the row of a person, with the check-in button. */
export function createPersonRow(person, { now, checkOutLabel, onOpen, onToggleCheckIn }) {
	const isCheckedIn = person.visit && !person.visit.out;
	const isCanceled = person.status.toLowerCase() === 'cancelled';
	return make(
		'article',
		{ class: `row person ${isCanceled ? 'gone' : ''}`, 'data-id': person.id },
		make(
			'span',
			{ class: `avatar ${isCheckedIn ? 'in' : ''}`, 'aria-hidden': 'true' },
			formatInitials(person.name),
		),
		make(
			'div',
			{ class: 'words' },
			make(
				'h3',
				{},
				make('button', { class: 'name', type: 'button', onclick: onOpen }, person.name),
			),
			createContactLine(person),
		),
		make(
			'div',
			{ class: 'state' },
			createStatusChip(person.status),
			make(
				'span',
				{ class: `from ${isCheckedIn ? 'here' : ''}` },
				describeVisit(person.visit, now),
			),
		),
		isCanceled
			? make('span', { class: 'door' })
			: make(
					'button',
					{
						class: `button small door ${isCheckedIn ? '' : 'soft'}`,
						type: 'button',
						'aria-label': `${isCheckedIn ? checkOutLabel : 'Check In'}: ${person.name}`,
						onclick: onToggleCheckIn,
					},
					isCheckedIn ? checkOutLabel : 'Check In',
				),
	);
}

/** Returns the row of a session. */
export function createSessionRow(session, { onOpen }) {
	return make(
		'article',
		{ class: 'row session', 'data-id': session.id },
		make(
			'div',
			{ class: 'words' },
			make(
				'h3',
				{},
				make('button', { class: 'name', type: 'button', onclick: onOpen }, session.title),
			),
			make(
				'p',
				{ class: 'from' },
				`${formatDayAndTime(session.start)} – ${formatTime(new Date(session.end))}`,
			),
		),
		session.note && make('p', { class: 'from note' }, session.note),
	);
}

/** Returns the row of a contact. */
export function createContactRow(contact, { onOpen }) {
	return make(
		'article',
		{ class: 'row person', 'data-id': contact.id },
		make('span', { class: 'avatar', 'aria-hidden': 'true' }, formatInitials(contact.name)),
		make(
			'div',
			{ class: 'words' },
			make(
				'h3',
				{},
				make('button', { class: 'name', type: 'button', onclick: onOpen }, contact.name),
			),
			createContactLine(contact),
		),
	);
}

/** Returns the row of a change and its author. */
export function createChangeRow({ text, at, by, service }) {
	const serviceTitle = service === 'eventData' ? 'Event Data' : 'Event Registration';
	return make(
		'article',
		{ class: 'row' },
		make(
			'div',
			{ class: 'words' },
			make('h3', {}, text),
			make('p', { class: 'from' }, `${serviceTitle} · ${formatTime(at)}`),
		),
		make(
			'span',
			{ class: `chip ${by === 'api' ? 'accent' : ''}` },
			by === 'api' ? 'Workflow' : 'Desk',
		),
	);
}
