"""What only lessons use: worked examples, the record, questions and answers, running notebooks."""
