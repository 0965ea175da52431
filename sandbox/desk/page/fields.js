import { make } from '/common/dom.js';

const pad = (number) => String(number).padStart(2, '0');

/** Formats a time for a date and time input, in the user's time zone. */
function toLocal(text) {
	const date = new Date(text);
	const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
	return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

function control(field, id, value) {
	const shared = {
		id,
		name: field.name,
		'aria-required': field.required ? 'true' : undefined,
		'aria-describedby': `${id}-problem`,
		autocomplete: 'off',
	};
	// A select would lose all choices but one.
	if (field.options && field.type !== 'multiselect') {
		const options = field.options.map((option) =>
			typeof option === 'object' ? option : { value: option, label: option },
		);
		if (!field.required && !field.always) options.unshift({ value: '', label: '–' });
		return make(
			'select',
			shared,
			...options.map((option) =>
				make(
					'option',
					{ value: String(option.value), selected: String(option.value) === value },
					option.label,
				),
			),
		);
	}
	const element =
		field.type === 'textarea'
			? make('textarea', { ...shared, rows: '3' })
			: make('input', { ...shared, type: field.type ?? 'text', ...field.more });
	if (field.type === 'checkbox') element.checked = value === 'true';
	else element.value = value;
	return element;
}

const textOf = (field, value) => {
	if (value === undefined || value === null) return '';
	return field.type === 'datetime-local' ? toLocal(value) : String(value);
};

function read(field, element) {
	if (field.type === 'checkbox') return element.checked;
	const text = element.value.trim();
	if (field.type === 'datetime-local') return text && new Date(text).toISOString();
	if (field.number) return text === '' ? undefined : Number(text);
	return text;
}

let forms = 0;

/**
 * Creates a form of these fields. `onSubmit` receives the values by name; its errors are shown below the field concerned, or
 * else above the button. `update` changes only fields that the user has not edited.
 */
export function makeForm({ fields, values = {}, submit, onSubmit, quiet = false }) {
	const prefix = `form${++forms}`;
	const controls = new Map();
	const problem = make('p', { class: 'problem', role: 'alert', hidden: true });
	const rows = fields.map((field, index) => {
		const id = `${prefix}-${index}`;
		const element = control(field, id, textOf(field, values[field.name]));
		element.dataset.start = element.value;
		const said = make('span', { class: 'problem', id: `${id}-problem`, hidden: true });
		controls.set(field.name, { field, element, said });
		const label = make(
			'label',
			{ for: id },
			field.label,
			field.required && make('span', { class: 'tag' }, 'required'),
		);
		const isBox = field.type === 'checkbox';
		return make('div', { class: isBox ? 'field box' : 'field' }, label, element, said);
	});
	const button = make(
		'button',
		{ class: quiet ? 'button' : 'button primary', type: 'submit' },
		submit,
	);
	const form = make('form', { novalidate: true, autocomplete: 'off' }, ...rows, problem, button);

	const clear = () => {
		problem.hidden = true;
		for (const { element, said } of controls.values()) {
			said.hidden = true;
			element.removeAttribute('aria-invalid');
		}
	};
	const complain = (error) => {
		let first;
		for (const [name, texts] of Object.entries(error.fields ?? {})) {
			const found = controls.get(name);
			if (!found) continue;
			found.said.textContent = texts.join(' ');
			found.said.hidden = false;
			found.element.setAttribute('aria-invalid', 'true');
			first ??= found.element;
		}
		if (!first) {
			problem.textContent = error.message;
			problem.hidden = false;
		}
		(first ?? button).focus();
	};
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		// A second click before the response arrives must not register a person twice.
		if (form.getAttribute('aria-busy') === 'true') return;
		clear();
		form.setAttribute('aria-busy', 'true');
		const given = [...controls].map(([name, { field, element }]) => [name, read(field, element)]);
		try {
			await onSubmit(Object.fromEntries(given));
			for (const { element } of controls.values()) element.dataset.start = element.value;
		} catch (error) {
			complain(error);
		} finally {
			form.removeAttribute('aria-busy');
		}
	});

	const update = (next) => {
		for (const [name, { field, element }] of controls) {
			if (field.type === 'checkbox' || element.value !== element.dataset.start) continue;
			element.value = textOf(field, next[name]);
			element.dataset.start = element.value;
		}
	};
	return { form, update };
}
