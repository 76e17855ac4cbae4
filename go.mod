module github.com/hookassay/hookassay

go 1.26.0
