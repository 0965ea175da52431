import { casesFromJson, claims, EVIL_EMAIL, mallory, user } from './tokenActors';
import type { Case } from './tokenActors';

const sub = user.fingerprint;

/** Claims without a signature. */
const claimedOnly: Case[] = casesFromJson({
	'claims of the person who was asked': claims,
	'claims of another person': { sub: mallory.fingerprint, email: EVIL_EMAIL },
	'claims that say they are verified': { ...claims, verified: true, subjectChecked: true, claims },
	'claims with a status': { ...claims, status: 'completed' },
	'claims with an unknown status': { ...claims, status: 'approved' },
	'claims one level down': { status: 'completed', claims },
	'claims one level down, without a status': { claims },
	'claims and a key': { ...claims, key: { sub, status: 'registered' } },
	'claims in a list': [claims],
	'a subject that is a number': { sub: 1, email: EVIL_EMAIL },
	'a subject that is an object': { sub: { $eq: sub }, email: EVIL_EMAIL },
	'a subject that is a list': { sub: [sub], email: EVIL_EMAIL },
	'a subject that is true': { sub: true, email: EVIL_EMAIL },
	'nothing but a subject': { sub },
});

const WORDS = [
	'done',
	'ready',
	'completed',
	'complete',
	'finished',
	'COMPLETED!',
	'"Done"',
	'[ready]',
];

/** A status without a result. */
const statusOnly: Case[] = [
	...WORDS.map((body) => ({ name: `nothing but the word ${body}`, body, type: 'text/plain' })),
	...casesFromJson({
		'a status alone': { status: 'completed' },
		'a status in a list': [{ status: 'done' }],
		'a status with an email address': { status: 'ready', email: EVIL_EMAIL },
		'a status that says it is verified': { status: 'done', verified: true, state: 'completed' },
		'a status and no token': { status: 'completed', token: null, jwt: null, claims: null },
		'a status and empty claims': { status: 'completed', claims: {} },
	}),
];

/** Claimed results without anything to verify. */
export const unsigned: Case[] = [...claimedOnly, ...statusOnly];
