import { byId, countOf, fillIfNew, listenForCopies, make, showList } from '/common/dom.js';
import { badge, showLink, toast } from '/common/shell.js';
import { setUpTabs } from '/common/tabs.js';

import { fetchChanges, listen } from './api.js';
import { countText, setUpContacts, showContacts } from './contacts.js';
import { data } from './data.js';
import { makeForm } from './fields.js';
import { registration } from './registration.js';
import { changeRow, daysOf, personRow, sessionRow } from './rows.js';
import { closeSheet, openSheet, refreshSheet } from './sheet.js';

const sides = { eventRegistration: registration, eventData: data };
const chosenName = 'gatehouse.desk.chosen';
const TYPING_MS = 150;

const chosen = JSON.parse(localStorage.getItem(chosenName) ?? '{}');
let side = sides[chosen.service] ?? registration;
let events = [];
let event;
let door = '';
let clockOffset = 0;
let unread = 0;
const busy = new Set();
const now = () => Date.now() + clockOffset;

function choose(changes) {
	Object.assign(chosen, changes);
	localStorage.setItem(chosenName, JSON.stringify(chosen));
	door = '';
	byId('people-search').value = '';
	void load();
}

const tabs = setUpTabs(['people', 'program', 'contacts', 'activity'], (name) => {
	if (name === 'activity') badge('activity', (unread = 0));
	void load();
});

/** Returns the current event, or else the next one: the most likely choice of a user who opens the desk. */
function defaultEvent(list) {
	return list.find(({ end }) => Date.parse(end) > now()) ?? list[0];
}

function groupOf({ start, end }) {
	if (Date.parse(end) < now()) return 'Past';
	return Date.parse(start) > now() ? 'To come' : 'Going on';
}

function showEvents() {
	const groups = ['Going on', 'To come', 'Past']
		.map((label) => ({ label, list: events.filter((one) => groupOf(one) === label) }))
		.filter(({ list }) => list.length > 0);
	fillIfNew(byId('event'), JSON.stringify(groups), () =>
		groups.map(({ label, list }) => {
			const options = list.map(({ id, name }) => make('option', { value: id }, name));
			return make('optgroup', { label }, ...options);
		}),
	);
	byId('event').value = event.id;
	const { id, name, start, end, people, counts } = event;
	const inside = counts.inside === undefined ? '' : `, ${countOf(counts.inside)} inside`;
	byId('event-id').textContent = id;
	byId('program-event').textContent = name;
	for (const place of ['event', 'program']) {
		byId(`${place}-when`).textContent = daysOf(start, end);
		byId(`${place}-people`).textContent =
			`${countOf(people)} registered, ${countOf(counts.came)} came${inside}`;
	}
}

function showDoors() {
	byId('door-part').hidden = !side.hasDoors;
	const doors = [{ id: '', title: 'At the entrance' }, ...event.sessions];
	if (!doors.some(({ id }) => String(id) === door)) door = '';
	fillIfNew(byId('door'), JSON.stringify(doors.map(({ id, title }) => [id, title])), () =>
		doors.map(({ id, title }) => make('option', { value: id }, title)),
	);
	byId('door').value = door;
}

async function showPeople() {
	const search = byId('people-search').value;
	const asked = side;
	const { total, found, rows } = await side.people(event.id, { search, door });
	if (asked !== side) return;
	byId('people-count').textContent = countText(rows.length, found, total);
	byId('people-empty').hidden = rows.length > 0;
	byId('people-empty').textContent = search ? 'No one by that name.' : 'No one is here yet.';
	showList(byId('people'), rows, {
		version: (row) => JSON.stringify([side.service, door, row]),
		create: (row) =>
			personRow(row, {
				now: now(),
				door: side.door,
				onOpen: () => attempt(() => side.openPerson(event, row.id, { now })),
				onDoor: () => toggleCheckIn(row),
			}),
	});
}

function showProgram() {
	byId('program-empty').hidden = event.sessions.length > 0;
	const rows = [...event.sessions].sort((a, b) => a.start.localeCompare(b.start));
	showList(
		byId('program'),
		rows.map((session) => ({ kind: 'session', ...session })),
		{
			version: (row) => JSON.stringify([side.service, row]),
			create: (row) => sessionRow(row, { onOpen: () => openSession(row) }),
		},
	);
}

async function showActivity() {
	const { now: time, changes } = await fetchChanges();
	clockOffset = time - Date.now();
	byId('activity-empty').hidden = changes.length > 0;
	const rows = changes.map((change) => ({ kind: 'change', ...change })).reverse();
	showList(byId('activity'), rows, { version: ({ text }) => text, create: changeRow });
}

/** Runs an action and shows its error if it fails. */
async function attempt(run) {
	try {
		await run();
	} catch (error) {
		toast(error.message, 'bad');
	}
}

/** Checks a person in or out. The button changes when the sandbox reports it. */
async function toggleCheckIn(row) {
	if (busy.has(row.id)) return;
	busy.add(row.id);
	await attempt(() => side.toggleCheckIn(event, row, door));
	busy.delete(row.id);
	await load();
}

const sheetForm = (title, form, ...more) => openSheet(title, [makeForm(form).form, ...more]);

function openNewGuest() {
	const { fields, values, submit } = side.newGuest(event);
	const onSubmit = async (given) => {
		const name = await submit(given);
		closeSheet();
		toast(`${name} is registered`, 'good');
	};
	sheetForm(`Register for ${event.name}`, { fields, values, submit: 'Register', onSubmit });
}

function openSession(session) {
	const onSubmit = async (values) => {
		if (session) await side.changeSession(event.id, session.id, values);
		else await side.addSession(event.id, values);
		closeSheet();
		toast(session ? 'The session was changed' : 'The session was added', 'good');
	};
	const remove = () =>
		attempt(async () => {
			await side.removeSession(event.id, session.id);
			closeSheet();
			toast(`${session.title} was taken off`, 'good');
		});
	const removing =
		session && side.removeSession
			? [
					make(
						'button',
						{ class: 'button deny wide', type: 'button', onclick: remove },
						'Take Off the Program',
					),
				]
			: [];
	sheetForm(
		session ? session.title : 'Add a Session',
		{
			fields: side.sessionFields,
			values: session?.values,
			submit: session ? 'Save Changes' : 'Add Session',
			onSubmit,
		},
		...removing,
	);
}

function openEvent(isNew) {
	const onSubmit = async (values) => {
		if (isNew) choose({ [side.service]: (await side.addEvent(values)).id });
		else await side.changeEvent(event.id, values);
		closeSheet();
		toast(isNew ? 'The event was made' : 'The event was changed', 'good');
	};
	sheetForm(isNew ? 'New Event' : event.name, {
		fields: side.eventFields,
		values: isNew ? {} : event.values,
		submit: isNew ? 'Make Event' : 'Save Changes',
		onSubmit,
	});
}

let loading = false;
let loadAgain = false;

async function loadEvent() {
	const asked = side;
	const list = await side.events();
	const wanted = list.find(({ id }) => id === chosen[asked.service]) ?? defaultEvent(list);
	const loaded = await asked.event(wanted.id);
	// If the user has switched to the other service meanwhile, that one is loaded next.
	if (asked !== side) return;
	[events, event] = [list, loaded];
	showEvents();
	showDoors();
	byId('tab-contacts').hidden = !side.hasContacts;
	if (tabs.current() === 'people') await showPeople();
	if (tabs.current() === 'program') showProgram();
	if (tabs.current() === 'contacts') await showContacts();
	await showActivity();
	// The person shown may no longer exist, for example after a reset.
	await refreshSheet().catch(closeSheet);
}

/** Reloads the page's data. A change that arrives meanwhile triggers another reload, so that none is missed. */
async function load() {
	loadAgain = loading;
	if (loading) return;
	loading = true;
	try {
		await loadEvent();
	} catch (error) {
		toast(error.message, 'bad');
	} finally {
		loading = false;
	}
	if (loadAgain) await load();
}

function arrive({ item }) {
	if (item.by === 'api') {
		byId('announcer').textContent = item.text;
		if (tabs.current() !== 'activity') {
			badge('activity', (unread += 1));
			toast(item.text);
		}
	}
	void load();
}

for (const radio of document.getElementsByName('service')) {
	radio.checked = radio.value === side.service;
	radio.addEventListener('change', () => {
		side = sides[radio.value];
		if (!side.hasContacts && tabs.current() === 'contacts') byId('tab-people').click();
		choose({ service: side.service });
	});
}
byId('event').addEventListener('change', ({ target }) => {
	const picked = events.find(({ id }) => String(id) === target.value);
	choose({ [side.service]: picked.id });
});
byId('door').addEventListener('change', ({ target }) => {
	door = target.value;
	void load();
});
let typing;
const soon = () => {
	clearTimeout(typing);
	typing = setTimeout(load, TYPING_MS);
};
byId('people-search').addEventListener('input', soon);
setUpContacts(soon);
byId('register').addEventListener('click', openNewGuest);
byId('add-session').addEventListener('click', () => openSession());
byId('change-event').addEventListener('click', () => openEvent(false));
byId('add-event').addEventListener('click', () => openEvent(true));
listenForCopies(toast);

await load();
listen({ onItem: arrive, onRefresh: load, onLink: showLink });
