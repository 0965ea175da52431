import * as api from './api.js';
import { importKey, loadKey, generateKey, saveKey, signToken } from './keys.js';

const MODE_KEY = 'gatehouse.phone.mode';
const formatProfileKey = ({ fingerprint }) => `gatehouse.phone.profile.${fingerprint}`;

/** Registers a key with the identity service by a token signed with the key itself. */
async function register(key) {
	const { secret } = await api.registerKey(await signToken({ sub: key.fingerprint }, key));
	return { ...key, secret };
}

/** The person named in the page's address. Each tab can be a different person. */
const requestedHolder = new URLSearchParams(location.search).get('user');
export const holder = requestedHolder ?? 'guest';

/** Loads one of the sandbox's people, whose private key the sandbox provides. */
export async function loadDemoPerson(personHolder = holder) {
	const { user } = await api.fetchDemo(personHolder);
	const key = await importKey(user);
	const { name, email, phone, address, userId } = user;
	return { ...key, isOwn: false, userId, initialProfile: { name, email, phone, address } };
}

/** Loads the demo person and selects it for the next visit too. */
export async function selectDemoPerson() {
	localStorage.setItem(MODE_KEY, 'demo');
	return loadDemoPerson();
}

/** Creates a person with a key generated in this browser, and registers it. */
export async function createPerson() {
	const key = await register({ ...(await generateKey()), isOwn: true });
	await saveKey(key);
	localStorage.setItem(MODE_KEY, 'own');
	// The address names another person and would select that person again on reload.
	history.replaceState(null, '', location.pathname);
	return withInitialProfile(key);
}

/**
 * Loads the person in the address, or else the person of the last visit. A key that the sandbox no longer knows is
 * registered again.
 */
export async function loadPerson() {
	const isOwn = requestedHolder === null && localStorage.getItem(MODE_KEY) === 'own';
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
	const charCodeSum = [...key.fingerprint].reduce(
		(total, character) => total + character.charCodeAt(0),
		0,
	);
	const phone = `+1202555${String(144 + (charCodeSum % 56)).padStart(4, '0')}`;
	const tag = key.fingerprint
		.slice(0, 6)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]/g, '');
	return {
		...key,
		initialProfile: { name: 'New User', email: `user-${tag}@example.com`, phone, address: '' },
	};
}

/** Returns the values for requested claims: those saved in this browser, or else the initial ones. */
export function readProfile(key) {
	const saved = localStorage.getItem(formatProfileKey(key));
	return saved ? JSON.parse(saved) : key.initialProfile;
}

export function saveProfile(key, profile) {
	localStorage.setItem(formatProfileKey(key), JSON.stringify(profile));
}

const DENIED_IDS_KEY = 'gatehouse.phone.denied';
const readDeniedIds = () => JSON.parse(localStorage.getItem(DENIED_IDS_KEY) ?? '[]');

/** Stores that the user denied a job: the service reports a denial and the application's own cancellation alike. */
export function storeDenial({ id }) {
	localStorage.setItem(DENIED_IDS_KEY, JSON.stringify([...readDeniedIds(), id].slice(-200)));
}

export function wasDenied({ id, status }) {
	return status === 'cancelled' && readDeniedIds().includes(id);
}
