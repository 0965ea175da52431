import {
	byId,
	formatCount,
	fillIfChanged,
	handleCopyButtons,
	make,
	showList,
} from '/common/dom.js';
import { showBadge, showConnection, showToast } from '/common/shell.js';
import { setUpTabs } from '/common/tabs.js';

import { fetchChanges, subscribeToChanges } from './api.js';
import { describeCount, setUpContacts, showContacts } from './contacts.js';
import { eventDataAdapter } from './eventdata.js';
import { createForm } from './fields.js';
import { eventRegistrationAdapter } from './eventregistration.js';
import { createChangeRow, formatDays, createPersonRow, createSessionRow } from './rows.js';
import { closeSheet, openSheet, refreshSheet } from './sheet.js';

const adapters = { eventRegistration: eventRegistrationAdapter, eventData: eventDataAdapter };
const SELECTION_KEY = 'gatehouse.desk.chosen';
const SEARCH_DELAY_MS = 150;

const selection = JSON.parse(localStorage.getItem(SELECTION_KEY) ?? '{}');
let adapter = adapters[selection.service] ?? eventRegistrationAdapter;
let events = [];
let event;
let checkInPlace = '';
let clockOffsetMs = 0;
let unreadCount = 0;
const pendingIds = new Set();
const now = () => Date.now() + clockOffsetMs;

function changeSelection(changes) {
	Object.assign(selection, changes);
	localStorage.setItem(SELECTION_KEY, JSON.stringify(selection));
	checkInPlace = '';
	byId('people-search').value = '';
	void load();
}

const tabs = setUpTabs(['people', 'program', 'contacts', 'activity'], (name) => {
	if (name === 'activity') showBadge('activity', (unreadCount = 0));
	void load();
});

/** Returns the current event, or else the next one: the most likely choice of a user who opens the desk. */
function findDefaultEvent(list) {
	return list.find(({ end }) => Date.parse(end) > now()) ?? list[0];
}

function getPhase({ start, end }) {
	if (Date.parse(end) < now()) return 'Past';
	return Date.parse(start) > now() ? 'To come' : 'Going on';
}

function showEvents() {
	const groups = ['Going on', 'To come', 'Past']
		.map((label) => ({ label, list: events.filter((listed) => getPhase(listed) === label) }))
		.filter(({ list }) => list.length > 0);
	fillIfChanged(byId('event'), JSON.stringify(groups), () =>
		groups.map(({ label, list }) => {
			const options = list.map(({ id, name }) => make('option', { value: id }, name));
			return make('optgroup', { label }, ...options);
		}),
	);
	byId('event').value = event.id;
	const { id, name, start, end, people, counts } = event;
	const insideText = counts.inside === undefined ? '' : `, ${formatCount(counts.inside)} inside`;
	byId('event-id').textContent = id;
	byId('program-event').textContent = name;
	for (const place of ['event', 'program']) {
		byId(`${place}-when`).textContent = formatDays(start, end);
		byId(`${place}-people`).textContent =
			`${formatCount(people)} registered, ${formatCount(counts.came)} came${insideText}`;
	}
}

function showCheckInPlaces() {
	byId('door-part').hidden = !adapter.hasSessionCheckIn;
	const places = [{ id: '', title: 'At the entrance' }, ...event.sessions];
	if (!places.some(({ id }) => String(id) === checkInPlace)) checkInPlace = '';
	fillIfChanged(byId('door'), JSON.stringify(places.map(({ id, title }) => [id, title])), () =>
		places.map(({ id, title }) => make('option', { value: id }, title)),
	);
	byId('door').value = checkInPlace;
}

async function showPeople() {
	const search = byId('people-search').value;
	const requestedAdapter = adapter;
	const { total, found, rows } = await adapter.people(event.id, { search, checkInPlace });
	if (requestedAdapter !== adapter) return;
	byId('people-count').textContent = describeCount(rows.length, found, total);
	byId('people-empty').hidden = rows.length > 0;
	byId('people-empty').textContent = search ? 'No one by that name.' : 'No one is here yet.';
	showList(byId('people'), rows, {
		getVersion: (row) => JSON.stringify([adapter.service, checkInPlace, row]),
		create: (row) =>
			createPersonRow(row, {
				now: now(),
				checkOutLabel: adapter.checkOutLabel,
				onOpen: () => runAndShowError(() => adapter.openPerson(event, row.id, { now })),
				onToggleCheckIn: () => toggleCheckIn(row),
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
			getVersion: (row) => JSON.stringify([adapter.service, row]),
			create: (row) => createSessionRow(row, { onOpen: () => openSessionForm(row) }),
		},
	);
}

async function showActivity() {
	const { now: sandboxNow, changes } = await fetchChanges();
	clockOffsetMs = sandboxNow - Date.now();
	byId('activity-empty').hidden = changes.length > 0;
	const rows = changes.map((change) => ({ kind: 'change', ...change })).reverse();
	showList(byId('activity'), rows, { getVersion: ({ text }) => text, create: createChangeRow });
}

/** Runs an action and shows its error if it fails. */
async function runAndShowError(run) {
	try {
		await run();
	} catch (error) {
		showToast(error.message, 'bad');
	}
}

/** Checks a person in or out. The button changes when the sandbox reports the change. */
async function toggleCheckIn(row) {
	if (pendingIds.has(row.id)) return;
	pendingIds.add(row.id);
	await runAndShowError(() => adapter.toggleCheckIn(event, row, checkInPlace));
	pendingIds.delete(row.id);
	await load();
}

const openFormSheet = (title, form, ...more) => openSheet(title, [createForm(form).form, ...more]);

function openRegistrationForm() {
	const { fields, values, submit } = adapter.newRegistration(event);
	const onSubmit = async (formValues) => {
		const name = await submit(formValues);
		closeSheet();
		showToast(`${name} is registered`, 'good');
	};
	openFormSheet(`Register for ${event.name}`, {
		fields,
		values,
		submitLabel: 'Register',
		onSubmit,
	});
}

function openSessionForm(session) {
	const onSubmit = async (values) => {
		if (session) await adapter.changeSession(event.id, session.id, values);
		else await adapter.addSession(event.id, values);
		closeSheet();
		showToast(session ? 'The session was changed' : 'The session was added', 'good');
	};
	const remove = () =>
		runAndShowError(async () => {
			await adapter.removeSession(event.id, session.id);
			closeSheet();
			showToast(`${session.title} was taken off`, 'good');
		});
	const removeButtons =
		session && adapter.removeSession
			? [
					make(
						'button',
						{ class: 'button deny wide', type: 'button', onclick: remove },
						'Take Off the Program',
					),
				]
			: [];
	openFormSheet(
		session ? session.title : 'Add a Session',
		{
			fields: adapter.sessionFields,
			values: session?.values,
			submitLabel: session ? 'Save Changes' : 'Add Session',
			onSubmit,
		},
		...removeButtons,
	);
}

function openEventForm(isNew) {
	const onSubmit = async (values) => {
		if (isNew) changeSelection({ [adapter.service]: (await adapter.addEvent(values)).id });
		else await adapter.changeEvent(event.id, values);
		closeSheet();
		showToast(isNew ? 'The event was made' : 'The event was changed', 'good');
	};
	openFormSheet(isNew ? 'New Event' : event.name, {
		fields: adapter.eventFields,
		values: isNew ? {} : event.values,
		submitLabel: isNew ? 'Make Event' : 'Save Changes',
		onSubmit,
	});
}

let isLoading = false;
let mustLoadAgain = false;

async function loadEvent() {
	const requestedAdapter = adapter;
	const list = await adapter.events();
	const selectedEvent =
		list.find(({ id }) => id === selection[requestedAdapter.service]) ?? findDefaultEvent(list);
	const loadedEvent = await requestedAdapter.event(selectedEvent.id);
	// If the user has switched to the other service meanwhile, the page loads that service next.
	if (requestedAdapter !== adapter) return;
	[events, event] = [list, loadedEvent];
	showEvents();
	showCheckInPlaces();
	byId('tab-contacts').hidden = !adapter.hasContacts;
	if (tabs.current() === 'people') await showPeople();
	if (tabs.current() === 'program') showProgram();
	if (tabs.current() === 'contacts') await showContacts();
	await showActivity();
	// The person shown may no longer exist, for example after a reset.
	await refreshSheet().catch(closeSheet);
}

/** Reloads the page's data. A change that arrives meanwhile triggers another reload, so that none is missed. */
async function load() {
	mustLoadAgain = isLoading;
	if (isLoading) return;
	isLoading = true;
	try {
		await loadEvent();
	} catch (error) {
		showToast(error.message, 'bad');
	} finally {
		isLoading = false;
	}
	if (mustLoadAgain) await load();
}

function handleChange({ item }) {
	if (item.by === 'api') {
		byId('announcer').textContent = item.text;
		if (tabs.current() !== 'activity') {
			showBadge('activity', (unreadCount += 1));
			showToast(item.text);
		}
	}
	void load();
}

for (const radio of document.getElementsByName('service')) {
	radio.checked = radio.value === adapter.service;
	radio.addEventListener('change', () => {
		adapter = adapters[radio.value];
		if (!adapter.hasContacts && tabs.current() === 'contacts') byId('tab-people').click();
		changeSelection({ service: adapter.service });
	});
}
byId('event').addEventListener('change', ({ target }) => {
	const pickedEvent = events.find(({ id }) => String(id) === target.value);
	changeSelection({ [adapter.service]: pickedEvent.id });
});
byId('door').addEventListener('change', ({ target }) => {
	checkInPlace = target.value;
	void load();
});
let searchTimer;
const loadSoon = () => {
	clearTimeout(searchTimer);
	searchTimer = setTimeout(load, SEARCH_DELAY_MS);
};
byId('people-search').addEventListener('input', loadSoon);
setUpContacts(loadSoon);
byId('register').addEventListener('click', openRegistrationForm);
byId('add-session').addEventListener('click', () => openSessionForm());
byId('change-event').addEventListener('click', () => openEventForm(false));
byId('add-event').addEventListener('click', () => openEventForm(true));
handleCopyButtons(showToast);

await load();
subscribeToChanges({ onItem: handleChange, onRefresh: load, onConnectionChange: showConnection });
