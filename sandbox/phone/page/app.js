import {
	byId,
	capitalize,
	handleCopyButtons,
	make,
	describeRole,
	shortenFingerprint,
	showList,
	formatTime,
	updateCountdowns,
} from '/common/dom.js';
import { createReloader } from '/common/request.js';
import { showBadge, showConnection, showToast } from '/common/shell.js';
import { setUpTabs } from '/common/tabs.js';

import { sendAnswer } from './answer.js';
import * as api from './api.js';
import {
	createHistoryRow,
	isOpen,
	isRequest,
	createMessageCard,
	createRequestCard,
	summarize,
	createTokenRow,
} from './cards.js';
import { signToken } from './keys.js';
import {
	createPerson,
	holder,
	loadPerson,
	readProfile,
	saveProfile,
	selectDemoPerson,
	wasDenied,
} from './person.js';

const items = new Map();
const pendingIds = new Set();
let person;
let unsubscribe = () => undefined;
let clockOffsetMs = 0;
let unreadCount = 0;
const state = { profile: {}, application: '', wasDenied, now: () => Date.now() + clockOffsetMs };

const tabs = setUpTabs(['requests', 'messages', 'history', 'profile'], (name) => {
	if (name === 'messages') unreadCount = 0;
	if (name === 'messages') void showTokens();
	render();
});

function readIdentity() {
	const { phone, email } = state.profile;
	return { fingerprint: person.fingerprint, phone, email };
}

function render() {
	const sortedItems = [...items.values()].sort((a, b) => b.at - a.at);
	const filterByKind = (...kinds) => sortedItems.filter((item) => kinds.includes(item.kind));
	const renderList = (id, list, getVersion, create) => {
		showList(byId(id), list, { getVersion, create });
		byId(`${id}-empty`).hidden = list.length > 0;
	};
	const requests = sortedItems.filter((item) => isRequest(item) && isOpen(item));
	const profile = JSON.stringify(state.profile);
	renderList(
		'requests',
		requests,
		(item) => `${JSON.stringify(item)} ${profile}`,
		(item) =>
			createRequestCard(item, state, {
				onApprove: () => answerRequest(item, true),
				onDeny: () => answerRequest(item, false),
			}),
	);
	renderList(
		'history',
		sortedItems.filter((item) => isRequest(item) && !isOpen(item)),
		(item) => item.status,
		(item) => createHistoryRow(item, state),
	);
	renderList('sms', filterByKind('sms'), ({ text }) => text, createMessageCard);
	renderList('calls', filterByKind('call'), ({ text }) => text, createMessageCard);
	renderList('mail', filterByKind('mail'), ({ text }) => text, createMessageCard);
	showBadge('requests', requests.length);
	showBadge('messages', unreadCount);
	const count = requests.length > 0 ? `(${requests.length}) ` : '';
	document.title = `${count}${byId('title').textContent} · Gatehouse sandbox`;
}

function showPerson() {
	const { name, phone } = state.profile;
	byId('who-name').textContent = name;
	const role = person.isOwn ? 'Own key' : capitalize(holder);
	byId('who-key').textContent = `${role} · ${shortenFingerprint(person.fingerprint)}`;
	const title = person.isOwn ? 'Your own phone' : `${capitalize(describeRole(holder))}’s phone`;
	for (const id of ['title', 'heading']) byId(id).textContent = title;
	for (const link of document.querySelectorAll('[data-holder]')) {
		const isCurrent = !person.isOwn && link.dataset.holder === holder;
		link.toggleAttribute('aria-current', isCurrent);
		if (isCurrent) link.setAttribute('aria-current', 'page');
	}
	byId('demo-key').textContent = `Be the sandbox’s ${holder} again`;
	byId('avatar').textContent = name
		.split(/\s+/)
		.map((word) => word[0] ?? '')
		.slice(0, 2)
		.join('')
		.toUpperCase();
	for (const id of ['about-fingerprint', 'fingerprint']) byId(id).textContent = person.fingerprint;
	byId('about-phone').textContent = phone;
	byId('user-part').hidden = person.userId === undefined;
	byId('user-id').textContent = person.userId ?? '';
	byId('key-kind').textContent = person.isOwn
		? 'Made in this browser. The private half can’t leave it.'
		: `${capitalize(describeRole(holder))}’s key comes from the sandbox, so that examples work with a fixed fingerprint.`;
	byId('secret-part').hidden = !person.secret;
	byId('secret').textContent = person.secret ?? '';
	byId('demo-key').hidden = !person.isOwn;
	const form = byId('profile');
	for (const field of ['name', 'email', 'phone', 'address']) {
		form.elements.namedItem(field).value = state.profile[field] ?? '';
	}
}

/** Approves or denies a request. Its card disappears when the sandbox reports the new state. */
async function answerRequest(item, isApproved) {
	if (pendingIds.has(item.id)) return;
	pendingIds.add(item.id);
	const card = document.querySelector(`#requests [data-id="${CSS.escape(item.id)}"]`);
	card?.setAttribute('aria-busy', 'true');
	try {
		await sendAnswer(item, isApproved, { key: person, profile: state.profile, now: state.now() });
		showToast(isApproved ? 'Approved' : 'Denied', isApproved ? 'good' : 'bad');
	} catch (error) {
		showToast(error.message, 'bad');
	} finally {
		pendingIds.delete(item.id);
		card?.removeAttribute('aria-busy');
	}
	await load();
	// The clicked button was removed: the next request, or else the list, receives the focus.
	if (document.activeElement === document.body) {
		const next = document.querySelector('#requests .button.primary');
		(next ?? byId('panel-requests')).focus();
	}
}

const { reload: load, markStale } = createReloader(async () => {
	try {
		const response = await api.fetchItems(readIdentity());
		clockOffsetMs = response.now - Date.now();
		items.clear();
		for (const item of response.items) items.set(`${item.kind}:${item.id}`, item);
		render();
	} catch (error) {
		showToast(error.message, 'bad');
	}
});

function handleItem({ now, item }) {
	clockOffsetMs = now - Date.now();
	const itemKey = `${item.kind}:${item.id}`;
	const isNew = !items.has(itemKey);
	items.set(itemKey, item);
	markStale();
	if (isNew && (!isRequest(item) || isOpen(item))) {
		byId('announcer').textContent = summarize(item);
		if (!isRequest(item) && tabs.current() !== 'messages') unreadCount += 1;
		if (tabs.current() !== (isRequest(item) ? 'requests' : 'messages')) showToast(summarize(item));
	}
	render();
}

async function switchPerson(loadingPerson) {
	unsubscribe();
	person = await loadingPerson;
	state.profile = readProfile(person);
	items.clear();
	unreadCount = 0;
	showPerson();
	await load();
	connect();
}

function connect() {
	unsubscribe();
	unsubscribe = api.subscribeToItems(readIdentity(), {
		onItem: handleItem,
		onRefresh: load,
		onConnectionChange: showConnection,
	});
}

async function showTokens() {
	const tokens = await api.fetchTokens(state.profile.phone).catch(() => []);
	byId('authenticator-part').hidden = tokens.length === 0;
	byId('authenticator').replaceChildren(...tokens.map(createTokenRow));
}

function tick() {
	const now = state.now();
	byId('clock').textContent = formatTime(now);
	if (updateCountdowns(now)) void load();
	if (tabs.current() === 'messages') void showTokens();
}

byId('profile').addEventListener('submit', async (event) => {
	event.preventDefault();
	const form = new FormData(event.target);
	const profile = Object.fromEntries([...form].map(([name, value]) => [name, value.trim()]));
	profile.phone = `+${profile.phone.replaceAll(/\D/g, '')}`;
	state.profile = profile;
	saveProfile(person, profile);
	showPerson();
	connect();
	const { email, phone } = profile;
	const claims = { sub: person.fingerprint, email, phone, iat: Math.floor(state.now() / 1000) };
	try {
		await api.updateKey(person.fingerprint, await signToken(claims, person));
		showToast('Profile saved', 'good');
	} catch (error) {
		showToast(`Saved here, but not at the service: ${error.message}`, 'bad');
	}
	await load();
});

function createSwitchHandler(providePerson) {
	return () => switchPerson(providePerson()).catch((error) => showToast(error.message, 'bad'));
}
byId('fresh-key').addEventListener('click', createSwitchHandler(createPerson));
byId('demo-key').addEventListener('click', createSwitchHandler(selectDemoPerson));
handleCopyButtons(showToast);

try {
	state.application = (await api.fetchDemo(holder)).application;
	await switchPerson(loadPerson());
} catch (error) {
	const hint = 'This browser can’t make Ed25519 keys. Use a newer one.';
	const text = error.name === 'NotSupportedError' ? hint : error.message;
	byId('requests-empty').replaceChildren(make('strong', {}, text));
}
setInterval(tick, 1000);
tick();
