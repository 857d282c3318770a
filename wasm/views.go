//go:build js && wasm

package main

import (
	"binlens/decoder/index"
	"binlens/decoder/session"
	"syscall/js"
	"time"
)

// The exports behind the views of transactions and tables, and the timeline.
func (m *module) viewExports() map[string]export {
	return map[string]export{"survey": m.survey, "transactions": m.transactions, "transaction": m.transaction, "place": m.place,
		"tables": m.tables, "totals": m.totals, "checks": m.checks, "timeline": m.timeline}
}

// survey goes on counting rows and checking transactions, for a budget in milliseconds.
func (m *module) survey(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	budget, err := number(args, 0, "survey takes a budget in milliseconds")
	if err != nil {
		return nil, err
	}
	more := m.s.Survey(max(time.Duration(budget)*time.Millisecond, time.Millisecond))
	p := m.s.SurveyProgress()
	return surveyAnswer{Rows: float64(p.Rows), Total: float64(p.Total), Checks: float64(p.Checks), Transactions: float64(m.s.Index().Groups()),
		Tables: float64(m.s.TableCount()), Problems: float64(m.s.Progress().Problems), More: more, Done: p.Done}, nil
}

// numbers returns the first n arguments, whole numbers.
func (m *module) numbers(args []js.Value, n int, usage string) ([]int64, error) {
	if m.s == nil {
		return nil, errClosed
	}
	v := make([]int64, n)
	for i := range v {
		var err error
		if v[i], err = number(args, i, usage); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (m *module) transactions(args []js.Value) (any, error) {
	v, err := m.numbers(args, 3, "transactions takes an order, a place and a number of transactions")
	if err != nil {
		return nil, err
	}
	return m.s.Transactions(session.TransactionOrder(v[0]), int(v[1]), int(min(v[2], maxPage))), nil
}

func (m *module) transaction(args []js.Value) (any, error) {
	v, err := m.numbers(args, 1, "transaction takes its number")
	if err != nil {
		return nil, err
	}
	return m.s.Transaction(uint32(v[0]))
}

// place tells where in an order a transaction stands; -1 when nowhere.
func (m *module) place(args []js.Value) (any, error) {
	v, err := m.numbers(args, 2, "place takes an order and the number of a transaction")
	if err != nil {
		return nil, err
	}
	return float64(m.s.Place(session.TransactionOrder(v[0]), uint32(v[1]))), nil
}

func (m *module) tables(args []js.Value) (any, error) {
	v, err := m.numbers(args, 3, "tables takes an order, a place and a number of tables")
	if err != nil {
		return nil, err
	}
	return m.s.Tables(session.TableOrder(v[0]), int(v[1]), int(min(v[2], maxPage))), nil
}

func (m *module) totals([]js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	return m.s.Totals(), nil
}

func (m *module) checks(args []js.Value) (any, error) {
	v, err := m.numbers(args, 2, "checks takes a place and a number of checks")
	if err != nil {
		return nil, err
	}
	return m.s.Checks(int(v[0]), int(min(v[1], maxPage))), nil
}

func (m *module) timeline(args []js.Value) (any, error) {
	v, err := m.numbers(args, 4, "timeline takes an axis, where to begin and to end, a number of bins, and whether only what the filter leaves counts")
	if err != nil {
		return nil, err
	}
	return m.s.Timeline(index.Axis(v[0]), v[1], v[2], int(min(v[3], maxPage)), asked(args, 4)), nil
}
