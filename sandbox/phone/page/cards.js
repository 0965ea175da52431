import { parseScope, describeScope } from './claims.js';
import { createDetailRow } from './rows.js';
import {
	createCopyButton,
	make,
	shortenFingerprint,
	formatTimeLeft,
	formatTime,
} from '/common/dom.js';

/** The card of a request with more rows shows their number, so that no user takes the rows that fit on a screen for all. */
const MAX_UNCOUNTED_ROWS = 8;
const openStatuses = new Set(['waiting', 'pending']);
const outcomes = {
	completed: ['Approved', 'good'],
	approved: ['Approved', 'good'],
	denied: ['Denied', 'bad'],
	cancelled: ['Canceled', 'bad'],
	expired: ['Expired', 'dull'],
};

/** Whether an item is waiting for a decision. */
export const isOpen = (item) => openStatuses.has(item.status);
/** Whether an item is a request that needs a decision at some time. */
export const isRequest = ({ kind }) => kind === 'scopeJob' || kind === 'approval';

/** Describes an item in one line, for the screen reader's announcement and for the names of buttons. */
export function summarize(item) {
	if (item.kind === 'scopeJob') return `Identity request for ${describeScope(item.scope)}`;
	if (item.kind === 'approval') return item.message;
	const kind = { sms: 'Text message', call: 'Call', mail: 'Email' }[item.kind];
	return `${kind}: ${item.text}`;
}

function createSenderLine(item, state) {
	if (item.kind === 'approval') return make('p', { class: 'from' }, `From ${item.from}`);
	const name = item.from === state.application ? 'Demo application' : 'Application';
	return make('p', { class: 'from' }, `${name} `, make('code', {}, shortenFingerprint(item.from)));
}

function createClaimRows(item, { profile }) {
	return parseScope(item.scope, profile).map(({ label, text, required }) =>
		make(
			'div',
			{},
			make('dt', {}, label, required && make('span', { class: 'tag' }, 'required')),
			text === undefined
				? make('dd', { class: 'missing' }, 'not in your profile')
				: make('dd', {}, text),
		),
	);
}

function createDetailRows({ details }) {
	return Object.entries(details ?? {}).map(([name, value]) => createDetailRow(name, String(value)));
}

/** Returns the card of a request with its two buttons. `personName` names the person where a page shows several phones. */
export function createRequestCard(item, state, { onApprove, onDeny, personName }) {
	const isJob = item.kind === 'scopeJob';
	const lacksRequiredClaim =
		isJob && parseScope(item.scope, state.profile).some((claim) => claim.required && !claim.value);
	const title = isJob ? 'Share your details?' : item.message;
	const rows = isJob ? createClaimRows(item, state) : createDetailRows(item);
	const purpose = isJob ? `share ${describeScope(item.scope)}` : item.message;
	const formatAccessibleName = (verb) =>
		`${personName === undefined ? verb : `${verb} as ${personName}`}: ${purpose}`;
	return make(
		'article',
		{ class: `card ${item.kind}`, 'data-id': item.id },
		make(
			'header',
			{},
			createLogo(item),
			make('p', { class: 'eyebrow' }, isJob ? 'Identity request' : 'Approval request'),
			make('time', { datetime: new Date(item.at).toISOString() }, formatTime(item.at)),
		),
		make('h3', {}, title),
		createSenderLine(item, state),
		rows.length > MAX_UNCOUNTED_ROWS && make('p', { class: 'count' }, `${rows.length} details`),
		rows.length > 0 && make('dl', {}, ...rows),
		lacksRequiredClaim &&
			make('p', { class: 'warning' }, 'Your profile is missing something that’s required.'),
		item.expiresAt !== undefined &&
			make('p', { class: 'expiry' }, 'Expires in ', createCountdown(item.expiresAt, state.now())),
		make(
			'footer',
			{},
			make(
				'button',
				{
					class: 'button deny',
					type: 'button',
					'aria-label': formatAccessibleName('Deny'),
					onclick: onDeny,
				},
				'Deny',
			),
			make(
				'button',
				{
					class: 'button primary',
					type: 'button',
					'aria-label': formatAccessibleName('Approve'),
					onclick: onApprove,
				},
				'Approve',
			),
		),
	);
}

function createCountdown(expiresAt, now) {
	return make('span', { 'data-expires': String(expiresAt) }, formatTimeLeft(expiresAt - now));
}

const iconPaths = {
	scopeJob:
		'M4 6h16v12H4zM9 10.2a1.6 1.6 0 1 0 .01 0M6.7 15.5c.4-1.5 1.3-2 2.3-2s1.9.5 2.3 2M14 10h3M14 13h3',
	approval: 'M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6zM9 12l2 2 4-4',
};

function createIcon(kind) {
	const svgNamespace = 'http://www.w3.org/2000/svg';
	const svg = document.createElementNS(svgNamespace, 'svg');
	svg.setAttribute('viewBox', '0 0 24 24');
	const path = document.createElementNS(svgNamespace, 'path');
	path.setAttribute('d', iconPaths[kind]);
	svg.append(path);
	return make('span', { class: 'logo', 'aria-hidden': 'true' }, svg);
}

/** Returns the logo of a request, or our own icon if it has none or the logo does not load. */
function createLogo(item) {
	if (!item.logo?.startsWith('https:')) return createIcon(item.kind);
	const image = make('img', { class: 'logo', src: item.logo, alt: '', width: '36', height: '36' });
	image.addEventListener('error', () => image.replaceWith(createIcon(item.kind)));
	return image;
}

/** Returns the row of a request that was decided or has expired. */
export function createHistoryRow(item, state) {
	const status = state.wasDenied(item) ? 'denied' : item.status;
	const [label, tone] = outcomes[status] ?? [status, 'dull'];
	const isJob = item.kind === 'scopeJob';
	const claimLabels = isJob
		? parseScope(item.scope, state.profile).map((claim) => claim.label)
		: [];
	const rows = isJob ? [] : createDetailRows(item);
	return make(
		'article',
		{ class: 'row', 'data-id': item.id },
		make(
			'div',
			{},
			make('h3', {}, isJob ? `Details: ${claimLabels.join(', ')}` : item.message),
			make(
				'p',
				{ class: 'from' },
				`${isJob ? 'Identity request' : 'Approval request'} · ${formatTime(item.at)}`,
			),
		),
		make('span', { class: `chip ${tone}` }, label),
		rows.length > 0 && make('details', {}, make('summary', {}, 'Details'), make('dl', {}, ...rows)),
	);
}

/** Returns the card of a text message, a call or a mail, with a button to copy its code. */
export function createMessageCard(item) {
	return make(
		'article',
		{ class: `message ${item.kind}`, 'data-id': item.id },
		make(
			'p',
			{ class: 'from' },
			`${item.from} · `,
			make('time', { datetime: new Date(item.at).toISOString() }, formatTime(item.at)),
		),
		make('p', { class: 'bubble' }, item.kind === 'call' ? `“${item.text}”` : item.text),
		item.code !== undefined && createCopyButton(`Copy ${item.code}`, item.code),
	);
}

/** Returns the row with the current code of the authenticator app. */
export function createTokenRow({ twofactor_id: id, code, secondsLeft }) {
	return make(
		'article',
		{ class: 'row' },
		make(
			'div',
			{},
			make('h3', { class: 'digits' }, code),
			make('p', { class: 'from' }, `User ${id} · ${secondsLeft} s left`),
		),
		createCopyButton('Copy code', code),
	);
}
