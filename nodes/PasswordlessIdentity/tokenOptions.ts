import { BadInput } from '../engine/errors';
import type { Field } from '../engine/operation';
import { number } from '../engine/values/convert';
import { verifyOption } from './fields';

/** What is wanted of the token of a job, besides whose it is. */
export interface TokenWishes {
	/** Whether it is checked at all. */
	verify: boolean;
	/** Whom it must be meant for. */
	audience?: string;
	/** Who it must say it is from. */
	issuer?: string;
	/** How old it may be, in milliseconds. */
	oldestMs?: number;
}

/** The options of whatever looks at the result of a job. */
export const tokenOptions: Field[] = [
	{
		displayName: 'Expected Audience',
		name: 'expectedAudience',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://app.example.com',
		description:
			'Whom the answer must be meant for: its claim "aud". Any other answer is refused. Leave it empty to take it from whomever it is meant for.',
	},
	{
		displayName: 'Expected Issuer',
		name: 'expectedIssuer',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://wallet.example.com',
		description:
			'Who must have issued the answer: its claim "iss". Any other answer is refused. Leave it empty to take any.',
	},
	{
		displayName: 'Oldest Answer (Minutes)',
		name: 'oldestAnswer',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many minutes ago the answer may have been signed, by its claim "iat", with a minute to spare for clocks that differ. An older one is refused, and so is one that does not say. 0 takes any age.',
	},
	verifyOption,
];

/** Reads those options, and throws BadInput for what they cannot be: a check must not be left out in silence. */
export function readTokenOptions(option: (name: string) => unknown): TokenWishes {
	const minutes = filled(option('oldestAnswer'), number('Oldest Answer')) ?? 0;
	if (minutes < 0) {
		throw new BadInput(
			'Oldest Answer must be a number from 0 on',
			'Check Oldest Answer: 0 takes any age.',
		);
	}
	return {
		verify: option('verify') !== false,
		audience: filled(option('expectedAudience'), word('Expected Audience')),
		issuer: filled(option('expectedIssuer'), word('Expected Issuer')),
		oldestMs: minutes > 0 ? minutes * 60_000 : undefined,
	};
}

function filled<T>(given: unknown, read: (given: unknown) => T): T | undefined {
	const blank = given === undefined || given === null || `${given as string}`.trim() === '';
	return blank ? undefined : read(given);
}

const word = (label: string) => (given: unknown) => {
	if (typeof given === 'object') throw new BadInput(`${label} must be a text`, `Check ${label}.`);
	return `${given as string}`.trim();
};
