import { make, timeOf } from '/common/dom.js';

const moods = {
	confirmed: 'good',
	cancelled: 'bad',
	pending: 'warn',
	waitlisted: 'warn',
};
const dayTime = new Intl.DateTimeFormat(undefined, {
	day: 'numeric',
	month: 'short',
	hour: '2-digit',
	minute: '2-digit',
});
const day = new Intl.DateTimeFormat(undefined, {
	day: 'numeric',
	month: 'short',
	year: 'numeric',
});

/** Formats a day and a time in the user's locale. */
export const whenOf = (text) => dayTime.format(new Date(text));

/** Formats the days from one time to another. */
export const daysOf = (start, end) => day.formatRange(new Date(start), new Date(end));

/** Formats a time on the sandbox's current day, or else a day and a time. */
function timeOrDay(text, now) {
	const date = new Date(text);
	return date.toDateString() === new Date(now).toDateString() ? timeOf(date) : whenOf(text);
}

/** Returns a status as the pages spell it: the services say `cancelled`, all other texts `canceled`. */
export const statusText = (status) => status.replace(/^(c)ancelled$/i, '$1anceled');

/** Returns a status as a chip, with a capital first letter. */
export function statusChip(status) {
	const shown = statusText(status);
	const text = shown.charAt(0).toUpperCase() + shown.slice(1);
	return make('span', { class: `chip ${moods[status.toLowerCase()] ?? ''}` }, text);
}

const initials = (name) =>
	name
		.split(/\s+/)
		.map((word) => [...word][0] ?? '')
		.slice(0, 2)
		.join('')
		.toUpperCase();

/** Describes a visit. */
export function visitText(visit, now) {
	if (!visit) return 'Not here yet';
	if (visit.out) return `Left ${timeOrDay(visit.out, now)}`;
	return `In since ${timeOrDay(visit.in, now)}`;
}

/** Returns the line with an email address and a note, such as the registration type. It wraps before the note. */
function mailLine({ email, note }) {
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
export function personRow(person, { now, door, onOpen, onDoor }) {
	const isIn = person.visit && !person.visit.out;
	const isGone = person.status.toLowerCase() === 'cancelled';
	return make(
		'article',
		{ class: `row person ${isGone ? 'gone' : ''}`, 'data-id': person.id },
		make(
			'span',
			{ class: `avatar ${isIn ? 'in' : ''}`, 'aria-hidden': 'true' },
			initials(person.name),
		),
		make(
			'div',
			{ class: 'words' },
			make(
				'h3',
				{},
				make('button', { class: 'name', type: 'button', onclick: onOpen }, person.name),
			),
			mailLine(person),
		),
		make(
			'div',
			{ class: 'state' },
			statusChip(person.status),
			make('span', { class: `from ${isIn ? 'here' : ''}` }, visitText(person.visit, now)),
		),
		isGone
			? make('span', { class: 'door' })
			: make(
					'button',
					{
						class: `button small door ${isIn ? '' : 'soft'}`,
						type: 'button',
						'aria-label': `${isIn ? door.out : 'Check In'}: ${person.name}`,
						onclick: onDoor,
					},
					isIn ? door.out : 'Check In',
				),
	);
}

/** Returns the row of a session. */
export function sessionRow(session, { onOpen }) {
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
			make('p', { class: 'from' }, `${whenOf(session.start)} – ${timeOf(new Date(session.end))}`),
		),
		session.note && make('p', { class: 'from note' }, session.note),
	);
}

/** Returns the row of a contact. */
export function contactRow(contact, { onOpen }) {
	return make(
		'article',
		{ class: 'row person', 'data-id': contact.id },
		make('span', { class: 'avatar', 'aria-hidden': 'true' }, initials(contact.name)),
		make(
			'div',
			{ class: 'words' },
			make(
				'h3',
				{},
				make('button', { class: 'name', type: 'button', onclick: onOpen }, contact.name),
			),
			mailLine(contact),
		),
	);
}

/** Returns the row of a change and its author. */
export function changeRow({ text, at, by, service }) {
	const where = service === 'eventData' ? 'Event Data' : 'Event Registration';
	return make(
		'article',
		{ class: 'row' },
		make(
			'div',
			{ class: 'words' },
			make('h3', {}, text),
			make('p', { class: 'from' }, `${where} · ${timeOf(at)}`),
		),
		make(
			'span',
			{ class: `chip ${by === 'api' ? 'accent' : ''}` },
			by === 'api' ? 'Workflow' : 'Desk',
		),
	);
}
