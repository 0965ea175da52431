import type { Schema } from '../../contracts/read';
import type { RequestPart } from '../../nodes/engine/field';
import type { Operation } from '../../nodes/engine/operation';
import { requestBodySchema, contractOperations } from '../support/contracts';
import { packServices } from '../support/pack';
import { key, pairsOf, rows, schemaFor, sentBy } from './walk';
import type { Sent } from './walk';

/** The JSON types that an n8n field can give when it has no reader of its own. */
const gives: Record<string, string[]> = {
	string: ['string'],
	number: ['number', 'integer'],
	boolean: ['boolean'],
	options: ['string'],
	multiOptions: ['array'],
	dateTime: ['string'],
	json: ['object', 'array', 'string'],
	resourceLocator: ['string'],
	fixedCollection: ['object', 'array'],
};

function fits({ field, place }: Sent, schema: Schema): boolean {
	if (field.read) return true;
	const possibleTypes = gives[field.type] ?? [];
	// In an address everything is a text.
	if ((place === 'path' || place === 'query') && possibleTypes.includes('string')) return true;
	const types = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(
		({ type }) => type ?? [],
	);
	return types.length === 0 || types.some((type) => possibleTypes.includes(type));
}

const fromPaging = (operation: Operation) =>
	[operation.paging?.pageParameter, operation.paging?.size?.name].filter(Boolean);

describe.each(packServices)('the table of $name', (part) => {
	const contract = contractOperations(part.contract);
	const table = rows(part);

	it('has exactly one row for every operation of the contract', () => {
		const built = table
			.filter(({ operation }) => operation.request)
			.map(({ operation }) => key(operation.request!.method, operation.request!.path));
		expect([...built].sort()).toEqual(contract.map(({ method, path }) => key(method, path)).sort());
	});

	it('has every row under the resource that the contract names', () => {
		for (const [, resource] of Object.entries(part.service.resources)) {
			for (const { request } of Object.values(resource.operations)) {
				const matchingRow =
					request &&
					contract.find(
						({ method, path }) => key(method, path) === key(request.method, request.path),
					);
				if (matchingRow)
					expect(`${request.path} ${resource.name}`).toBe(
						`${matchingRow.path} ${matchingRow.tags[0]}`,
					);
			}
		}
	});

	it.each(table)('$label is idempotent, or names its effect', ({ operation }) => {
		// Messages use it after "It's unclear whether".
		if (operation.idempotent) expect(operation.effect).toBeUndefined();
		else expect(operation.effect).toMatch(/^[a-z].* .*[^.!?\s]$/);
	});

	const pairs = pairsOf(part);

	it.each(pairs)(
		'$label names only fields of the contract, with a matching type',
		({ operation, match }) => {
			for (const sent of sentBy(operation)) {
				const schema = schemaFor(sent, match);
				expect({ field: sent.name, place: sent.place, known: schema !== undefined }).toEqual({
					field: sent.name,
					place: sent.place,
					known: true,
				});
				expect({ field: sent.name, fits: fits(sent, schema!) }).toEqual({
					field: sent.name,
					fits: true,
				});
			}
		},
	);

	it.each(pairs)('$label sets everything that the contract requires', ({ operation, match }) => {
		const sentFields = sentBy(operation);
		const has = (place: RequestPart, name: string) =>
			sentFields.some(
				(entry) =>
					entry.place === place && (entry.name === name || entry.name.startsWith(`${name}.`)),
			);
		const absent: string[] = match.parameters
			.filter(
				({ required, in: place, name }) =>
					required && place !== 'header' && !has(place as RequestPart, name),
			)
			.map(({ in: place, name }) => `${place} ${name}`);
		// Body parts that an operation's own code adds are covered by its tests against the sandbox.
		if (!operation.run && !operation.runBatch) {
			const body = requestBodySchema(match);
			const claims = body?.['x-jwt-claims'];
			const needed = claims ?? body;
			const place = claims ? 'claim' : 'body';
			if (
				body &&
				!claims &&
				needed?.type !== 'object' &&
				!has('wholeBody', '') &&
				!needed?.properties
			) {
				if (!sentFields.some((entry) => entry.place === 'wholeBody')) absent.push('body');
			}
			for (const name of needed?.required ?? [])
				if (!has(place, name)) absent.push(`${place} ${name}`);
		}
		const known = fromPaging(operation);
		for (const name of known) {
			expect(match.parameters.map((parameter) => parameter.name)).toContain(name);
		}
		expect(absent).toEqual([]);
	});
});
