import {
	byId,
	capitalize,
	copyButton,
	listenForCopies,
	make,
	roleOf,
	showList,
	updateCountdowns,
} from '/common/dom.js';
import { createReloader, follow, request } from '/common/request.js';
import { showLink, toast } from '/common/shell.js';
import { sendAnswer } from '/phone/answer.js';
import { isOpen, requestCard, summarize } from '/phone/cards.js';
import { loadDemoPerson, readProfile } from '/phone/person.js';

/** Requests of all people by holder, kind and ID. */
const items = new Map();
const busy = new Set();
let phones = [];
let application = '';
let clockOffset = 0;
const now = () => Date.now() + clockOffset;
const keyOf = ({ holder, item }) => `${holder}:${item.kind}:${item.id}`;

function createPhone({ holder, name, userId }) {
	const list = make('div', { class: 'list' });
	const none = make('p', { class: 'none' }, 'Nothing is waiting.');
	const element = make(
		'section',
		{ class: 'phone', id: holder, 'aria-labelledby': `${holder}-name`, tabindex: '-1' },
		make('h2', { id: `${holder}-name` }, name, make('small', {}, capitalize(roleOf(holder)))),
		userId !== undefined &&
			make(
				'p',
				{ class: 'user-id' },
				make('span', {}, 'Two-Factor user ID ', make('code', {}, String(userId))),
				copyButton('Copy', String(userId), `Copy user ID of ${name}`),
			),
		list,
		none,
		make(
			'p',
			{ class: 'more' },
			make('a', { href: `/phone?user=${holder}` }, `Open ${roleOf(holder)}’s phone`),
		),
	);
	return { holder, name, element, list, none };
}

async function loadPhone(person) {
	const key = await loadDemoPerson(person.holder);
	return { ...createPhone(person), key, profile: readProfile(key) };
}

function show() {
	const all = [...items.values()].filter(({ item }) => isOpen(item));
	for (const phone of phones) {
		const requests = all
			.filter(({ holder }) => holder === phone.holder)
			.map(({ item }) => item)
			.sort((a, b) => b.at - a.at);
		showList(phone.list, requests, {
			version: (item) => JSON.stringify(item),
			create: (item) =>
				requestCard(
					item,
					{ profile: phone.profile, application, now },
					{
						as: phone.name,
						onApprove: () => answer(phone, item, true),
						onDeny: () => answer(phone, item, false),
					},
				),
		});
		phone.none.hidden = requests.length > 0;
	}
	document.title = `${all.length > 0 ? `(${all.length}) ` : ''}All phones · Gatehouse sandbox`;
}

/** Approves or denies a request. Its card disappears when the sandbox reports the new state. */
async function answer(phone, item, approve) {
	const { name, key, profile, list, element } = phone;
	const place = keyOf({ holder: phone.holder, item });
	if (busy.has(place)) return;
	busy.add(place);
	const card = list.querySelector(`[data-id="${CSS.escape(item.id)}"]`);
	card?.setAttribute('aria-busy', 'true');
	try {
		await sendAnswer(item, approve, { key, profile, now: now() });
		toast(`${name}: ${approve ? 'approved' : 'denied'}`, approve ? 'good' : 'bad');
	} catch (error) {
		toast(error.message, 'bad');
	} finally {
		busy.delete(place);
		card?.removeAttribute('aria-busy');
	}
	await load();
	// The clicked button was removed: the next request of the same phone, or else the phone, receives the focus.
	if (document.activeElement === document.body) {
		(list.querySelector('.button.primary') ?? element).focus();
	}
}

const { reload: load, noteArrival } = createReloader(async () => {
	try {
		const loaded = await request('/phones/api/items');
		clockOffset = loaded.now - Date.now();
		items.clear();
		for (const entry of loaded.items) items.set(keyOf(entry), entry);
		show();
	} catch (error) {
		toast(error.message, 'bad');
	}
});

function arrive({ now: time, holder, item }) {
	clockOffset = time - Date.now();
	const key = keyOf({ holder, item });
	const isNew = !items.has(key);
	items.set(key, { holder, item });
	noteArrival();
	const phone = phones.find((candidate) => candidate.holder === holder);
	if (isNew && phone && isOpen(item)) {
		byId('announcer').textContent = `${phone.name}: ${summarize(item)}`;
	}
	show();
}

function tick() {
	if (updateCountdowns(now())) void load();
}

listenForCopies(toast);
try {
	const overview = await request('/phones/api/people');
	({ application } = overview);
	phones = await Promise.all(overview.people.map(loadPhone));
	byId('phones').replaceChildren(...phones.map(({ element }) => element));
	await load();
	follow('/phones/api/stream', { onItem: arrive, onRefresh: load, onLink: showLink });
	setInterval(tick, 1000);
} catch (error) {
	const hint = 'This browser can’t make Ed25519 keys. Use a newer one.';
	toast(error.name === 'NotSupportedError' ? hint : error.message, 'bad');
}
