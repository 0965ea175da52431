import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import { field } from '../engine/field';
import type { Read, SentBy } from '../engine/field';
import { readOptions } from '../engine/run/fields';
import { number } from '../engine/values/convert';
import { verifyOption } from './fields';

/** What is wanted of the token of a job, besides whose it is. */
export interface TokenPolicy {
	/** Whether it is checked at all. */
	verify: boolean;
	/** Whom it must be meant for. */
	audience?: string;
	/** Who it must say it is from. */
	issuer?: string;
	/** How old it may be, in milliseconds. */
	maxAgeMs?: number;
}

const expectedText: Read<string | undefined> = (given, _, label) => {
	if (typeof given === 'object') throw new BadInput(`'${label}' must be text`, `Check '${label}'.`);
	return `${given}`.trim() || undefined;
};

/** The options of whatever looks at the result of a job. A check must not be left out in silence: what cannot be is refused. */
export const tokenOptions = {
	expectedAudience: field({
		displayName: 'Expected Audience',
		name: 'expectedAudience',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://app.example.com',
		description:
			"Who the answer must be for (claim 'aud'). Other answers are rejected. Remove this option to accept any.",
		rejectBlank: true,
		read: expectedText,
	}),
	expectedIssuer: field({
		displayName: 'Expected Issuer',
		name: 'expectedIssuer',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://wallet.example.com',
		description:
			"Who must have issued the answer (claim 'iss'). Other answers are rejected. Remove this option to accept any.",
		rejectBlank: true,
		read: expectedText,
	}),
	oldestAnswer: field({
		displayName: 'Max Age of Answer (Minutes)',
		name: 'oldestAnswer',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			"Answers signed earlier (claim 'iat') are rejected, and so are answers without that claim. One minute is added for differing clocks. 0 means no limit.",
		rejectBlank: true,
		read: (given) => {
			const minutes = number('Max Age of Answer')(given);
			if (minutes >= 0) return minutes;
			throw new BadInput(
				"'Max Age of Answer' must be 0 or more",
				"Check 'Max Age of Answer': 0 means no limit.",
			);
		},
	}),
	verify: verifyOption,
};

/** What the user set of them. */
export type TokenValues = { [K in keyof typeof tokenOptions]?: SentBy<(typeof tokenOptions)[K]> };

/** What those options ask for. */
export const toTokenPolicy = ({
	expectedAudience,
	expectedIssuer,
	oldestAnswer = 0,
	verify = true,
}: TokenValues): TokenPolicy => ({
	verify,
	audience: expectedAudience,
	issuer: expectedIssuer,
	maxAgeMs: oldestAnswer > 0 ? oldestAnswer * 60_000 : undefined,
});

/** The same where they come as they were set, as in a trigger. */
export const readTokenPolicy = (options: IDataObject): TokenPolicy =>
	toTokenPolicy(readOptions(tokenOptions, options));
