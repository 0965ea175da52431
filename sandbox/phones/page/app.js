import {
	byId,
	capitalize,
	createCopyButton,
	handleCopyButtons,
	make,
	describeRole,
	showList,
	updateCountdowns,
} from '/common/dom.js';
import { createReloader, request, subscribe } from '/common/request.js';
import { showConnection, showToast } from '/common/shell.js';
import { sendAnswer } from '/phone/answer.js';
import { isOpen, createRequestCard, summarize } from '/phone/cards.js';
import { loadDemoPerson, readProfile } from '/phone/person.js';

/** Requests of all people by holder, kind and ID. */
const items = new Map();
const pendingKeys = new Set();
let phones = [];
let application = '';
let clockOffsetMs = 0;
const now = () => Date.now() + clockOffsetMs;
const formatItemKey = ({ holder, item }) => `${holder}:${item.kind}:${item.id}`;

function createPhone({ holder, name, userId }) {
	const list = make('div', { class: 'list' });
	const emptyNote = make('p', { class: 'none' }, 'Nothing is waiting.');
	const element = make(
		'section',
		{ class: 'phone', id: holder, 'aria-labelledby': `${holder}-name`, tabindex: '-1' },
		make('h2', { id: `${holder}-name` }, name, make('small', {}, capitalize(describeRole(holder)))),
		userId !== undefined &&
			make(
				'p',
				{ class: 'user-id' },
				make('span', {}, 'Two-Factor user ID ', make('code', {}, String(userId))),
				createCopyButton('Copy', String(userId), `Copy user ID of ${name}`),
			),
		list,
		emptyNote,
		make(
			'p',
			{ class: 'more' },
			make('a', { href: `/phone?user=${holder}` }, `Open ${describeRole(holder)}’s phone`),
		),
	);
	return { holder, name, element, list, emptyNote };
}

async function loadPhone(person) {
	const key = await loadDemoPerson(person.holder);
	return { ...createPhone(person), key, profile: readProfile(key) };
}

function render() {
	const openItems = [...items.values()].filter(({ item }) => isOpen(item));
	for (const phone of phones) {
		const requests = openItems
			.filter(({ holder }) => holder === phone.holder)
			.map(({ item }) => item)
			.sort((a, b) => b.at - a.at);
		showList(phone.list, requests, {
			getVersion: (item) => JSON.stringify(item),
			create: (item) =>
				createRequestCard(
					item,
					{ profile: phone.profile, application, now },
					{
						personName: phone.name,
						onApprove: () => answerRequest(phone, item, true),
						onDeny: () => answerRequest(phone, item, false),
					},
				),
		});
		phone.emptyNote.hidden = requests.length > 0;
	}
	document.title = `${openItems.length > 0 ? `(${openItems.length}) ` : ''}All phones · Gatehouse sandbox`;
}

/** Approves or denies a request. Its card disappears when the sandbox reports the new state. */
async function answerRequest(phone, item, isApproved) {
	const { name, key, profile, list, element } = phone;
	const itemKey = formatItemKey({ holder: phone.holder, item });
	if (pendingKeys.has(itemKey)) return;
	pendingKeys.add(itemKey);
	const card = list.querySelector(`[data-id="${CSS.escape(item.id)}"]`);
	card?.setAttribute('aria-busy', 'true');
	try {
		await sendAnswer(item, isApproved, { key, profile, now: now() });
		showToast(`${name}: ${isApproved ? 'approved' : 'denied'}`, isApproved ? 'good' : 'bad');
	} catch (error) {
		showToast(error.message, 'bad');
	} finally {
		pendingKeys.delete(itemKey);
		card?.removeAttribute('aria-busy');
	}
	await load();
	// The clicked button was removed: the next request of the same phone, or else the phone, receives the focus.
	if (document.activeElement === document.body) {
		(list.querySelector('.button.primary') ?? element).focus();
	}
}

const { reload: load, markStale } = createReloader(async () => {
	try {
		const response = await request('/phones/api/items');
		clockOffsetMs = response.now - Date.now();
		items.clear();
		for (const entry of response.items) items.set(formatItemKey(entry), entry);
		render();
	} catch (error) {
		showToast(error.message, 'bad');
	}
});

function handleItem({ now: sandboxNow, holder, item }) {
	clockOffsetMs = sandboxNow - Date.now();
	const key = formatItemKey({ holder, item });
	const isNew = !items.has(key);
	items.set(key, { holder, item });
	markStale();
	const phone = phones.find((candidate) => candidate.holder === holder);
	if (isNew && phone && isOpen(item)) {
		byId('announcer').textContent = `${phone.name}: ${summarize(item)}`;
	}
	render();
}

function tick() {
	if (updateCountdowns(now())) void load();
}

handleCopyButtons(showToast);
try {
	const overview = await request('/phones/api/people');
	({ application } = overview);
	phones = await Promise.all(overview.people.map(loadPhone));
	byId('phones').replaceChildren(...phones.map(({ element }) => element));
	await load();
	subscribe('/phones/api/stream', {
		onItem: handleItem,
		onRefresh: load,
		onConnectionChange: showConnection,
	});
	setInterval(tick, 1000);
} catch (error) {
	const hint = 'This browser can’t make Ed25519 keys. Use a newer one.';
	showToast(error.name === 'NotSupportedError' ? hint : error.message, 'bad');
}
