import * as api from './api.js';
import { importKey, loadKey, makeKey, saveKey, signToken } from './keys.js';

const modeName = 'gatehouse.phone.mode';
const profileName = ({ fingerprint }) => `gatehouse.phone.profile.${fingerprint}`;

/** Registers a key with the identity service by a token signed with the key itself. */
async function register(key) {
	const { secret } = await api.registerKey(await signToken({ sub: key.fingerprint }, key));
	return { ...key, secret };
}

/** The person named in the page's address. Each tab can be a different person. */
const named = new URLSearchParams(location.search).get('user');
export const holder = named ?? 'guest';

/** Loads one of the sandbox's people, whose private key the sandbox provides. */
export async function loadDemoPerson(who = holder) {
	const { user } = await api.fetchDemo(who);
	const key = await importKey(user);
	const { name, email, phone, address, userId } = user;
	return { ...key, own: false, userId, start: { name, email, phone, address } };
}

/** Loads the demo person and selects it for the next visit too. */
export async function selectDemoPerson() {
	localStorage.setItem(modeName, 'demo');
	return loadDemoPerson();
}

/** Creates a person with a key generated in this browser, and registers it. */
export async function createPerson() {
	const key = await register({ ...(await makeKey()), own: true });
	await saveKey(key);
	localStorage.setItem(modeName, 'own');
	// The address names another person and would select that one again on reload.
	history.replaceState(null, '', location.pathname);
	return withInitialProfile(key);
}

/**
 * Loads the person in the address, or else the one of the last visit. A key that the sandbox no longer knows is registered
 * again.
 */
export async function loadPerson() {
	const isOwn = named === null && localStorage.getItem(modeName) === 'own';
	let key = isOwn ? await loadKey() : undefined;
	if (!key) return loadDemoPerson();
	if (!(await api.isRegistered(key.fingerprint))) {
		key = await register(key);
		await saveKey(key);
	}
	return withInitialProfile(key);
}

/** Adds a phone number from the range reserved for fiction, always the same for the same key. */
function withInitialProfile(key) {
	const sum = [...key.fingerprint].reduce((total, sign) => total + sign.charCodeAt(0), 0);
	const phone = `+1202555${String(144 + (sum % 56)).padStart(4, '0')}`;
	const tag = key.fingerprint
		.slice(0, 6)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]/g, '');
	return {
		...key,
		start: { name: 'New User', email: `user-${tag}@example.com`, phone, address: '' },
	};
}

/** Returns the values for requested claims: those saved in this browser, or else the initial ones. */
export function readProfile(key) {
	const saved = localStorage.getItem(profileName(key));
	return saved ? JSON.parse(saved) : key.start;
}

export function saveProfile(key, profile) {
	localStorage.setItem(profileName(key), JSON.stringify(profile));
}

const deniedName = 'gatehouse.phone.denied';
const readDenied = () => JSON.parse(localStorage.getItem(deniedName) ?? '[]');

/** Stores that the user denied a job: the service reports a denial and the application's own cancellation alike. */
export function storeDenied({ id }) {
	localStorage.setItem(deniedName, JSON.stringify([...readDenied(), id].slice(-200)));
}

export function wasDenied({ id, status }) {
	return status === 'cancelled' && readDenied().includes(id);
}
