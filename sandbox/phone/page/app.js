import {
	byId,
	capitalize,
	listenForCopies,
	make,
	roleOf,
	shorten,
	showList,
	timeOf,
	updateCountdowns,
} from '/common/dom.js';
import { createReloader } from '/common/request.js';
import { badge, showLink, toast } from '/common/shell.js';
import { setUpTabs } from '/common/tabs.js';

import { sendAnswer } from './answer.js';
import * as api from './api.js';
import {
	historyRow,
	isOpen,
	isRequest,
	messageCard,
	requestCard,
	summarize,
	tokenRow,
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
const busy = new Set();
let key;
let stopListening = () => undefined;
let clockOffset = 0;
let unread = 0;
const state = { profile: {}, application: '', wasDenied, now: () => Date.now() + clockOffset };

const tabs = setUpTabs(['requests', 'messages', 'history', 'profile'], (name) => {
	if (name === 'messages') unread = 0;
	if (name === 'messages') void showTokens();
	show();
});

function identity() {
	const { phone, email } = state.profile;
	return { fingerprint: key.fingerprint, phone, email };
}

function show() {
	const all = [...items.values()].sort((a, b) => b.at - a.at);
	const kind = (...kinds) => all.filter((item) => kinds.includes(item.kind));
	const fill = (id, list, version, create) => {
		showList(byId(id), list, { version, create });
		byId(`${id}-empty`).hidden = list.length > 0;
	};
	const requests = all.filter((item) => isRequest(item) && isOpen(item));
	const profile = JSON.stringify(state.profile);
	fill(
		'requests',
		requests,
		(item) => `${JSON.stringify(item)} ${profile}`,
		(item) =>
			requestCard(item, state, {
				onApprove: () => answer(item, true),
				onDeny: () => answer(item, false),
			}),
	);
	fill(
		'history',
		all.filter((item) => isRequest(item) && !isOpen(item)),
		(item) => item.status,
		(item) => historyRow(item, state),
	);
	fill('sms', kind('sms'), ({ text }) => text, messageCard);
	fill('calls', kind('call'), ({ text }) => text, messageCard);
	fill('mail', kind('mail'), ({ text }) => text, messageCard);
	badge('requests', requests.length);
	badge('messages', unread);
	const count = requests.length > 0 ? `(${requests.length}) ` : '';
	document.title = `${count}${byId('title').textContent} · Gatehouse sandbox`;
}

function showPerson() {
	const { name, phone } = state.profile;
	byId('who-name').textContent = name;
	const role = key.own ? 'Own key' : capitalize(holder);
	byId('who-key').textContent = `${role} · ${shorten(key.fingerprint)}`;
	const whose = key.own ? 'Your own phone' : `${capitalize(roleOf(holder))}’s phone`;
	for (const id of ['title', 'heading']) byId(id).textContent = whose;
	for (const link of document.querySelectorAll('[data-holder]')) {
		const isHere = !key.own && link.dataset.holder === holder;
		link.toggleAttribute('aria-current', isHere);
		if (isHere) link.setAttribute('aria-current', 'page');
	}
	byId('demo-key').textContent = `Be the sandbox’s ${holder} again`;
	byId('avatar').textContent = name
		.split(/\s+/)
		.map((word) => word[0] ?? '')
		.slice(0, 2)
		.join('')
		.toUpperCase();
	for (const id of ['about-fingerprint', 'fingerprint']) byId(id).textContent = key.fingerprint;
	byId('about-phone').textContent = phone;
	byId('user-part').hidden = key.userId === undefined;
	byId('user-id').textContent = key.userId ?? '';
	byId('key-kind').textContent = key.own
		? 'Made in this browser. The private half can’t leave it.'
		: `${capitalize(roleOf(holder))}’s key comes from the sandbox, so that examples work with a fixed fingerprint.`;
	byId('secret-part').hidden = !key.secret;
	byId('secret').textContent = key.secret ?? '';
	byId('demo-key').hidden = !key.own;
	const form = byId('profile');
	for (const field of ['name', 'email', 'phone', 'address']) {
		form.elements.namedItem(field).value = state.profile[field] ?? '';
	}
}

/** Approves or denies a request. Its card disappears when the sandbox reports the new state. */
async function answer(item, approve) {
	if (busy.has(item.id)) return;
	busy.add(item.id);
	const card = document.querySelector(`#requests [data-id="${CSS.escape(item.id)}"]`);
	card?.setAttribute('aria-busy', 'true');
	try {
		await sendAnswer(item, approve, { key, profile: state.profile, now: state.now() });
		toast(approve ? 'Approved' : 'Denied', approve ? 'good' : 'bad');
	} catch (error) {
		toast(error.message, 'bad');
	} finally {
		busy.delete(item.id);
		card?.removeAttribute('aria-busy');
	}
	await load();
	// The clicked button was removed: the next request, or else the list, receives the focus.
	if (document.activeElement === document.body) {
		const next = document.querySelector('#requests .button.primary');
		(next ?? byId('panel-requests')).focus();
	}
}

const { reload: load, noteArrival } = createReloader(async () => {
	try {
		const loaded = await api.fetchItems(identity());
		clockOffset = loaded.now - Date.now();
		items.clear();
		for (const item of loaded.items) items.set(`${item.kind}:${item.id}`, item);
		show();
	} catch (error) {
		toast(error.message, 'bad');
	}
});

function arrive({ now, item }) {
	clockOffset = now - Date.now();
	const name = `${item.kind}:${item.id}`;
	const isNew = !items.has(name);
	items.set(name, item);
	noteArrival();
	if (isNew && (!isRequest(item) || isOpen(item))) {
		byId('announcer').textContent = summarize(item);
		if (!isRequest(item) && tabs.current() !== 'messages') unread += 1;
		if (tabs.current() !== (isRequest(item) ? 'requests' : 'messages')) toast(summarize(item));
	}
	show();
}

async function become(person) {
	stopListening();
	key = await person;
	state.profile = readProfile(key);
	items.clear();
	unread = 0;
	showPerson();
	await load();
	connect();
}

function connect() {
	stopListening();
	stopListening = api.listen(identity(), { onItem: arrive, onRefresh: load, onLink: showLink });
}

async function showTokens() {
	const tokens = await api.fetchTokens(state.profile.phone).catch(() => []);
	byId('authenticator-part').hidden = tokens.length === 0;
	byId('authenticator').replaceChildren(...tokens.map(tokenRow));
}

function tick() {
	const now = state.now();
	byId('clock').textContent = timeOf(now);
	if (updateCountdowns(now)) void load();
	if (tabs.current() === 'messages') void showTokens();
}

byId('profile').addEventListener('submit', async (event) => {
	event.preventDefault();
	const form = new FormData(event.target);
	const profile = Object.fromEntries([...form].map(([name, value]) => [name, value.trim()]));
	profile.phone = `+${profile.phone.replaceAll(/\D/g, '')}`;
	state.profile = profile;
	saveProfile(key, profile);
	showPerson();
	connect();
	const { email, phone } = profile;
	const claims = { sub: key.fingerprint, email, phone, iat: Math.floor(state.now() / 1000) };
	try {
		await api.updateKey(key.fingerprint, await signToken(claims, key));
		toast('Profile saved', 'good');
	} catch (error) {
		toast(`Saved here, but not at the service: ${error.message}`, 'bad');
	}
	await load();
});

function switchTo(make) {
	return () => become(make()).catch((error) => toast(error.message, 'bad'));
}
byId('fresh-key').addEventListener('click', switchTo(createPerson));
byId('demo-key').addEventListener('click', switchTo(selectDemoPerson));
listenForCopies(toast);

try {
	state.application = (await api.fetchDemo(holder)).application;
	await become(loadPerson());
} catch (error) {
	const hint = 'This browser can’t make Ed25519 keys. Use a newer one.';
	const text = error.name === 'NotSupportedError' ? hint : error.message;
	byId('requests-empty').replaceChildren(make('strong', {}, text));
}
setInterval(tick, 1000);
tick();
