const { outputSchema } = require('../schemas');

/** Values of fields that the nodes compute, which no contract has. */
const COMPUTED = {
	approved: true,
	checkedIn: 298,
	completed: true,
	currency: 'EUR',
	error: '',
	exists: true,
	found: true,
	handedOver: true,
	missing: 114,
	outcome: 'approved',
	registered: 412,
	success: true,
	total: 412,
	valid: true,
	verified: true,
	waitedSeconds: 42,
};

const BY_TYPE = { array: [], boolean: true, integer: 1, number: 1, object: {}, string: 'text' };

/**
 * Returns an example of an operation's output item: the fields of the schema that the package ships, with the values that the
 * contract gives as examples. Undefined if there is no schema.
 */
function outputExample(row, contract, valuesByName) {
	const schema = outputSchema(row, contract);
	return schema?.properties && fill(schema, valuesByName);
}

function fill({ type, properties, items }, valuesByName, name) {
	const known = valuesByName.get(name);
	if (known !== undefined && kindOf(known) === (type === 'integer' ? 'number' : type)) return known;
	if (properties && Object.keys(properties).length > 0) {
		return Object.fromEntries(
			Object.entries(properties).map(([key, part]) => [key, fill(part, valuesByName, key)]),
		);
	}
	if (type === 'array' && items?.properties) return [fill(items, valuesByName)];
	return COMPUTED[name] ?? BY_TYPE[type] ?? null;
}

const kindOf = (value) => (Array.isArray(value) ? 'array' : typeof value);

/** Returns the first example value of every field name in the responses of a contract. */
function exampleValues(contract) {
	const values = new Map();
	const collect = (value) => {
		if (Array.isArray(value)) return value.forEach(collect);
		if (typeof value !== 'object' || value === null) return undefined;
		for (const [name, inner] of Object.entries(value)) {
			if (inner !== null && !values.has(name)) values.set(name, inner);
			collect(inner);
		}
	};
	for (const { responses } of contract) {
		for (const [status, { content = {} }] of Object.entries(responses)) {
			if (!status.startsWith('2')) continue;
			for (const { example, examples = {} } of Object.values(content)) {
				collect(example);
				Object.values(examples).forEach((one) => collect(one.value));
			}
		}
	}
	return values;
}

module.exports = { exampleValues, outputExample };
