import Ajv2020 from 'ajv/dist/2020';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { formats } from '../formats';

/** The contract that the identity service follows. */
export const contractFile = 'passwordless-identity.yaml';

/** Everything that the contract has against these claims, one line each. */
export type ClaimsCheck = (schema: string, claims: unknown) => string[];

let cached: ClaimsCheck | undefined;

/**
 * Checks claims against the schemas that the contract names in `x-jwt-claims`: to the core a token is
 * only a string.
 */
export function claimsCheck(): ClaimsCheck {
	if (cached) return cached;
	const text = readFileSync(resolve(__dirname, '..', '..', 'contracts', contractFile), 'utf8');
	const { components } = parse(text) as { components: object };
	const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { ...formats } });
	ajv.addSchema({ $id: 'contract', components });
	cached = (schema, claims) => {
		const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
		if (!validate) throw new Error(`The contract has no schema '${schema}'`);
		if (validate(claims)) return [];
		return (validate.errors ?? []).map(({ instancePath, message }) =>
			`claims${instancePath} ${message}`.trim(),
		);
	};
	return cached;
}
